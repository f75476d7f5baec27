"""Files of arrays: they come back as they went, read or mapped, whole or not at all."""

import zipfile

import numpy as np
import pytest

from condprob.io import read_arrays, write_arrays

ARRAYS = {
    "whole": np.arange(7, dtype=np.int32),
    "real": np.random.default_rng(0).random((3, 5)),
    "columns first": np.asfortranarray(np.arange(6.0).reshape(2, 3)),
    "a number": np.array(2.5),
    "nothing": np.empty((0, 4)),
    "words": np.array(["rose", "ß", ""]),
    "other bytes": np.arange(5, dtype=">i8"),
}


@pytest.mark.parametrize("mmap", [False, True])
@pytest.mark.parametrize("packed", [False, True])
def test_arrays_come_back(tmp_path, mmap, packed):
    write_arrays(tmp_path / "x.npz", ARRAYS, packed=packed)
    found = read_arrays(tmp_path / "x.npz", mmap=mmap)
    assert found.keys() == ARRAYS.keys()
    for name, array in ARRAYS.items():
        np.testing.assert_array_equal(found[name], array)
        assert found[name].dtype == array.dtype.newbyteorder("=")
        assert found[name].flags.f_contiguous == array.flags.f_contiguous
        is_mapped = mmap and not packed and array.size > 0 and array.dtype.isnative
        assert isinstance(found[name], np.memmap) == is_mapped
        assert not is_mapped or found[name].offset % 64 == 0
    with np.load(tmp_path / "x.npz") as file:
        np.testing.assert_array_equal(file["real"], ARRAYS["real"])


@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize("mmap", [False, True])
def test_a_damaged_file_is_one_line_or_changes_nothing(tmp_path, mmap, packed):
    path, refusals = tmp_path / "x.npz", []
    write_arrays(path, ARRAYS, packed=packed)
    whole = path.read_bytes()
    for place in range(0, len(whole), 5):
        flipped = bytearray(whole)
        flipped[place] ^= 0x55
        for content in (bytes(flipped), whole[:place]):
            path.write_bytes(content)
            try:
                found = read_arrays(path, mmap=mmap)
            except (ValueError, OSError) as error:
                refusals.append(str(error))
            else:
                assert all(np.array_equal(found[name], ARRAYS[name]) for name in ARRAYS)
    assert len(refusals) > len(whole) // 5
    assert not any("\n" in line for line in refusals)


def test_an_array_of_objects_is_neither_written_nor_read(tmp_path):
    path = tmp_path / "x.npz"
    write_arrays(path, {"a": np.ones(2)})
    with pytest.raises(ValueError, match="Object arrays cannot be saved"):
        write_arrays(path, {"a": np.zeros(2), "b": np.array([object()])})
    assert [each.name for each in tmp_path.iterdir()] == ["x.npz"]
    np.testing.assert_array_equal(read_arrays(path)["a"], np.ones(2))
    np.savez(path, a=np.array([object()]), allow_pickle=True)
    with pytest.raises(ValueError, match=r"x\.npz: .*'a.npy' is of type object"):
        read_arrays(path)


def test_an_archive_of_other_things_is_one_line(tmp_path):
    path = tmp_path / "x.npz"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("a.txt", "words")
    with pytest.raises(ValueError, match=r"x\.npz: .*'a.txt' is no array"):
        read_arrays(path)
    path.write_text("words")
    with pytest.raises(ValueError, match=r"x\.npz: not a file of condprob"):
        read_arrays(path)
