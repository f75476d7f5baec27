"""Files of arrays: they come back as they went, read or mapped, whole or not at all."""

import zipfile

import numpy as np
import pytest

from condprob import Sentences, load, method, storage

ARRAYS = {
    "whole": np.arange(7, dtype=np.int32),
    "real": np.random.default_rng(0).random((3, 5)),
    "columns first": np.asfortranarray(np.arange(6.0).reshape(2, 3)),
    "a number": np.array(2.5),
    "nothing": np.empty((0, 4)),
    "words": np.array(["rose", "ß", ""]),
}


@pytest.mark.parametrize("mmap", [False, True])
def test_arrays_come_back(tmp_path, mmap):
    storage.write(tmp_path / "x.npz", "things", ARRAYS)
    kind, found = storage.read(tmp_path / "x.npz", ("others", "things"), mmap)
    assert kind == "things"
    assert found.keys() == ARRAYS.keys()
    for name, array in ARRAYS.items():
        np.testing.assert_array_equal(found[name], array)
        assert found[name].dtype == array.dtype
        assert found[name].flags.f_contiguous == array.flags.f_contiguous
        assert isinstance(found[name], np.memmap) == (mmap and array.size > 0)


def test_numpy_reads_the_file_and_each_array_is_aligned(tmp_path):
    storage.write(tmp_path / "x.npz", "things", ARRAYS)
    with np.load(tmp_path / "x.npz") as file:
        np.testing.assert_array_equal(file["real"], ARRAYS["real"])
    _, found = storage.read(tmp_path / "x.npz", ("things",), mmap=True)
    for array in (found["whole"], found["real"]):
        assert array.offset % 64 == 0


def test_what_cannot_be_written_leaves_the_file_of_before_and_nothing_else(tmp_path):
    path = tmp_path / "x.npz"
    storage.write(path, "things", {"a": np.ones(2)})
    with pytest.raises(ValueError, match="Object arrays cannot be saved"):
        storage.write(path, "things", {"a": np.zeros(2), "b": np.array([object()])})
    assert [each.name for each in tmp_path.iterdir()] == ["x.npz"]
    np.testing.assert_array_equal(storage.read(path, ("things",))[1]["a"], np.ones(2))


def test_another_kind_or_version_is_told(tmp_path, monkeypatch):
    storage.write(tmp_path / "x.npz", "things", {})
    with pytest.raises(ValueError, match=r"x.npz: holds things \(format 2\); a or b is needed"):
        storage.read(tmp_path / "x.npz", ("a", "b"))
    monkeypatch.setattr(storage, "VERSION", "4")
    storage.write(tmp_path / "x.npz", "things", {})
    with pytest.raises(ValueError, match=r"holds things \(format 4\); things is needed"):
        storage.read(tmp_path / "x.npz", ("things",))


def test_a_compressed_array_is_read_and_not_mapped(tmp_path):
    path = tmp_path / "x.npz"
    said = {storage.FORMAT: np.array(["things", storage.VERSION])}
    np.savez_compressed(path, **said, a=np.ones(3))
    for mmap in (False, True):
        found = storage.read(path, ("things",), mmap)[1]["a"]
        assert found.tolist() == [1, 1, 1]
        assert not isinstance(found, np.memmap)


def test_models_of_histories_are_packed_and_come_back_as_they_were(tmp_path):
    """Twice the same bytes; less than half of what its arrays take; read whole where one maps."""
    words = np.random.default_rng(0).zipf(1.5, 20_000) % 500
    model = method("kn").fit_text(Sentences.from_words(words, 500), order=3)
    for name in ("a.npz", "b.npz"):
        model.save(tmp_path / name)
    assert (tmp_path / "a.npz").read_bytes() == (tmp_path / "b.npz").read_bytes()
    whole = sum(array.nbytes for array in model.arrays().values())
    assert (tmp_path / "a.npz").stat().st_size < whole / 2
    for mmap in (False, True):
        found = load(tmp_path / "a.npz", mmap=mmap).arrays()
        for name, array in model.arrays().items():
            np.testing.assert_array_equal(found[name], array)


@pytest.mark.parametrize("type", ["<i4", "<i8", ">i4", ">i8"])
def test_whole_numbers_are_packed_by_their_bytes_and_come_back(tmp_path, type):
    """A rising array takes less than in a file of format 2, which is read."""
    limits = np.iinfo(type)
    rising = np.cumsum(np.random.default_rng(0).integers(5, size=9000)).astype(type)
    arrays = {"edges": np.array([limits.min, -1, 0, 258, limits.max], type), "rising": rising}
    arrays |= {"none": np.empty(0, type), "table": rising.reshape(-1, 9), "rising.npy": rising / 2}
    storage.write(tmp_path / "x.npz", "things", arrays, packed=True)
    told = {storage.FORMAT: np.array(["things", "2"])}
    np.savez_compressed(tmp_path / "old.npz", **told, **arrays)
    for name in ("x.npz", "old.npz"):
        _, found = storage.read(tmp_path / name, ("things",))
        for key, array in arrays.items():
            np.testing.assert_array_equal(found[key], array)
            assert found[key].dtype == array.dtype.newbyteorder("=")
    with zipfile.ZipFile(tmp_path / "x.npz") as new, zipfile.ZipFile(tmp_path / "old.npz") as old:
        packed = new.getinfo("rising.npy.planes").compress_size
        assert packed < 0.7 * old.getinfo("rising.npy").compress_size


@pytest.mark.parametrize(
    "planes", [np.zeros((3, 5), "u1"), np.zeros((4, 5), "i4"), np.zeros(8, "u1"), np.array(1.0)]
)
def test_bytes_that_are_no_whole_numbers_are_told(tmp_path, planes):
    storage.write(tmp_path / "x.npz", "things", {})
    with (
        zipfile.ZipFile(tmp_path / "x.npz", "a") as archive,
        archive.open("a.npy.planes", "w") as opened,
    ):
        np.save(opened, planes)
    with pytest.raises(ValueError, match="the array 'a' is of no bytes of whole numbers"):
        storage.read(tmp_path / "x.npz", ("things",))


@pytest.mark.parametrize("mmap", [False, True])
@pytest.mark.parametrize("order", "<>")
def test_bytes_that_are_no_values_of_their_type_are_told(tmp_path, mmap, order):
    """NumPy takes them: text beyond Unicode breaks what prints it, a third truth what counts."""
    beyond = np.full((2, 3), 0x110000, f"{order}u4").view(f"{order}U3")
    truths = np.array([0, 1, 2], np.uint8).view(bool)
    storage.write(tmp_path / "text.npz", "things", {"a": beyond})
    storage.write(tmp_path / "truths.npz", "things", {"a": truths})
    for name, told in (("text", "characters"), ("truths", "true and false")):
        with pytest.raises(ValueError, match=rf"{name}.npz: .*the array 'a' has more than {told}"):
            storage.read(tmp_path / f"{name}.npz", ("things",), mmap)
    highest = np.array(["a\U0010ffff"], dtype=f"{order}U2")
    storage.write(tmp_path / "good.npz", "things", {"a": highest})
    assert (
        storage.read(tmp_path / "good.npz", ("things",), mmap)[1]["a"].tolist() == highest.tolist()
    )


def test_a_file_whose_kind_is_beyond_unicode_is_told(tmp_path):
    said = np.array([[0x110000], [ord("2")]], dtype="<u4").view("<U1").ravel()
    np.savez(tmp_path / "x.npz", **{storage.FORMAT: said})
    with pytest.raises(ValueError, match=r"x.npz: not a file of condprob, or damaged"):
        storage.read(tmp_path / "x.npz", ("things",))


def test_every_file_cut_short_is_told(tmp_path):
    path, cut = tmp_path / "x.npz", tmp_path / "cut.npz"
    storage.write(path, "things", ARRAYS)
    whole = path.read_bytes()
    assert zipfile.is_zipfile(path)
    for length in range(0, len(whole), 97):
        cut.write_bytes(whole[:length])
        with pytest.raises(ValueError, match="not a file of condprob, or damaged"):
            storage.read(cut, ("things",))
