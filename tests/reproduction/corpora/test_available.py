"""Which texts there are: decided once, written down, and told with the command that gets each."""

from reproduction.corpora.available import Available

FILE = "no/such/folder/genesis.npz"


def test_a_text_at_hand_or_read_before_can_be_used(tmp_path):
    texts = Available()
    assert texts.has("genesis", FILE, at_hand=True)
    assert not texts.has("brown", tmp_path / "brown.npz", at_hand=False)
    (tmp_path / "brown.npz").touch()
    assert Available().has("brown", tmp_path / "brown.npz", at_hand=False)


def test_what_is_missing_is_named_with_the_command_that_gets_it():
    texts = Available()
    assert not texts.has("genesis", FILE, at_hand=False)
    remedy = "apt-get download it"
    assert not texts.has("deb", "no/such/folder/x.json", at_hand=False, remedy=remedy)
    first, second = texts.lines({"genesis", "deb", "brown"})
    assert first.startswith("Left out: genesis, because ")
    assert first.endswith(f"To get it: snakemake -j1 {FILE}")
    assert second.endswith("To get it: apt-get download it")
    assert [*texts.lines({"brown"})] == []
    assert texts.files({"genesis", "deb"}) == [FILE]


def test_a_strict_run_leaves_nothing_out():
    texts = Available(strict=True)
    assert texts.has("genesis", FILE, at_hand=False)
    assert texts.missing == {}


def test_jobs_read_what_was_decided(tmp_path):
    texts = Available()
    texts.has("genesis", FILE, at_hand=False)
    texts.write(tmp_path / "logs" / "missing.json")
    read = Available.read(tmp_path / "logs" / "missing.json")
    assert not read.has("genesis", FILE, at_hand=True)  # it has come meanwhile
    assert read.has("brown", "no/such.npz", at_hand=False)
    assert read.missing == texts.missing
