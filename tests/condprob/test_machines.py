"""One fit on many machines: the bits do not depend on them, and no killed worker costs a number."""

import gc
import os
import signal

import numpy as np
import pytest

from condprob import Checkpoint, CountMatrix, Vocabulary, add_shards, cross_entropy, load, method
from condprob.blocks import _MEMORY

distributed = pytest.importorskip("dask.distributed", reason="dask.distributed is not installed")
# Dask leaves sockets to Python, which closes them.
pytestmark = pytest.mark.filterwarnings("ignore::ResourceWarning")

SHAPE, BLOCKS = (60, 70), 3
EM = {
    "lr": {},
    "add-half-lr": {"tol": 1e-3},
    "ad-lr": {"unseen": "unigram"},
    "plsa": {"weight": 0.1},
}
DIRECT = [
    ("add-half", {}),
    ("laplace", {}),
    ("ad", {}),
    ("sb", {}),
    ("kn", {}),
    ("kn", {"discount": "modified", "unseen": "unigram"}),
    ("kn", {"discount": "estimated", "form": "backoff", "continuation": "floor"}),
]


@pytest.fixture(scope="module")
def client():
    how = {"n_workers": 1, "threads_per_worker": 2, "dashboard_address": ":0"}
    with distributed.Client(processes=False, **how) as found:
        yield found


@pytest.fixture(scope="module")
def cluster():
    how = {"dashboard_address": ":0", "worker_dashboard_address": ":0", "silence_logs": 50}
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, **how) as found:
        yield found
    gc.collect()


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("shards")


@pytest.fixture(scope="module")
def shards(folder):
    """Files of counts that share contexts; some contexts and outcomes are never seen."""
    return [write(folder / f"{seed}.npz", seed) for seed in range(BLOCKS)]


@pytest.fixture(scope="module")
def whole(folder, shards):
    return add_shards(shards, folder / "whole.npz")


def write(path, seed, share=1.0):
    rng = np.random.default_rng(seed)
    pairs = rng.integers(0, [[50], [65]], (2, 400)) * rng.integers(0, 2, (2, 400))
    (CountMatrix.from_pairs(*pairs, shape=SHAPE) * share).save(path)
    return path


def low_rank(name, **options):
    return method(name, rank=5, iterations=12, **options)


def bits_of(model):
    """The factors and the course of a sharded fit."""
    parts = [model.part(number) for number in range(len(model.files))]
    return [np.concatenate([part.W for part in parts]), parts[0].H, parts[0].history]


def assert_same(found, expected):
    for ours, theirs in zip(found, expected, strict=True):
        np.testing.assert_array_equal(ours, theirs)


@pytest.mark.filterwarnings("ignore:tol")
@pytest.mark.parametrize("update", ["simultaneous", "alternating"])
@pytest.mark.parametrize("name", EM)
def test_one_block_has_the_bits_of_a_fit_in_one_process(
    name, update, client, folder, whole, tmp_path
):
    estimator = low_rank(name, update=update, **EM[name])
    expected = estimator.fit(whole, seed=3)
    found = estimator.fit([folder / "whole.npz"], 3, client=client, checkpoint=tmp_path).part(0)
    assert_same(
        [found.W, found.H, found.history, found.left, found.right],
        [expected.W, expected.H, expected.history, expected.left, expected.right],
    )
    assert found.converged == expected.converged


def test_one_dense_block_has_them_too(client, tmp_path):
    C = np.random.default_rng(0).integers(0, 3, (20, 9)) + 1
    CountMatrix.from_dense(C).save(tmp_path / "C.npz")
    expected = low_rank("ad-lr").fit(C)
    assert_same(
        bits_of(low_rank("ad-lr").fit([tmp_path / "C.npz"], client=client)),
        [expected.W, expected.H, expected.history],
    )


@pytest.mark.parametrize("share", [1.0, 0.3])
@pytest.mark.parametrize(("name", "options"), DIRECT)
def test_direct_methods_need_sums_alone(name, options, share, client, tmp_path):
    shards = [write(tmp_path / f"{seed}.npz", seed, share) for seed in range(BLOCKS)]
    estimator, whole = method(name, **options), add_shards(shards, tmp_path / "whole.npz")
    if share < 1 and isinstance(options.get("discount"), str):
        with pytest.raises(ValueError, match="needs whole counts, and these have fractions"):
            estimator.fit(shards, client=client)
        return
    found, expected = estimator.fit(shards, client=client), estimator.fit(whole)
    assert len(found.files) == BLOCKS
    # Sums of whole numbers are exact; sums of fractions depend on their order.
    np.testing.assert_allclose(found.dense(), expected.dense(), rtol=0, atol=1e-15)


@pytest.fixture(scope="module")
def expected(client, shards, tmp_path_factory):
    """The fit in one process by the same blocks."""
    place = tmp_path_factory.mktemp("expected")
    return low_rank("add-half-lr").fit(shards, 3, client=client, checkpoint=place)


def test_blocks_change_the_order_of_sums_alone(expected, whole):
    alone = low_rank("add-half-lr").fit(whole, seed=3)
    np.testing.assert_allclose(expected.dense(), alone.dense(), rtol=1e-10)
    np.testing.assert_allclose(expected.part(0).history, alone.history, rtol=1e-12)


class Client:
    """A client that does something as soon as it has submitted so many tasks."""

    def __init__(self, client, actions):
        self._client, self._actions, self.submitted = client, actions, 0

    def __getattr__(self, name):
        return getattr(self._client, name)

    def submit(self, *task, **how):
        future = self._client.submit(*task, **how)
        self.submitted += 1
        self._actions.get(self.submitted, int)()
        return future


def test_workers_that_are_killed_cost_no_number(cluster, shards, expected, tmp_path):
    """While sums are taken, at the start, in passes, with a checkpoint of W at hand and without."""

    with distributed.Client(cluster) as client:

        def kill():
            for pid in [*client.run(os.getpid, on_error="ignore").values()][-1:]:
                os.kill(pid, signal.SIGKILL)

        # Three tasks cut the rows. Blocks and sums of neighbours are five tasks: of totals, of the
        # start, of each of twelve passes and of the last look, and three save the blocks.
        plain = Client(client, {})
        fit = low_rank("add-half-lr").fit
        assert_same(bits_of(fit(shards, 3, client=plain, checkpoint=tmp_path)), bits_of(expected))
        assert plain.submitted == 3 + 5 * (1 + 1 + 12 + 1 + 1)
        for seconds, moments in ((60, [50]), (0, [5, 81])):
            killing = Client(client, dict.fromkeys(moments, kill))
            place = Checkpoint(tmp_path, seconds)
            found = fit(shards, 3, client=killing, checkpoint=place)
            assert_same(bits_of(found), bits_of(expected))
            assert killing.submitted > plain.submitted


@pytest.mark.parametrize("seconds", [0, 60])
def test_a_fit_that_was_interrupted_goes_on(seconds, client, shards, expected, tmp_path):
    def interrupt():
        raise KeyboardInterrupt

    estimator, place = low_rank("add-half-lr"), Checkpoint(tmp_path, seconds)
    with pytest.raises(KeyboardInterrupt):
        estimator.fit(shards, 3, client=Client(client, {50: interrupt}), checkpoint=place)
    (state,) = tmp_path.iterdir()  # the result is written at the end
    assert state.name.startswith("unfinished-")
    counted = Client(client, {})
    found = estimator.fit(shards, 3, client=counted, checkpoint=place)
    assert_same(bits_of(found), bits_of(expected))
    # Of twelve passes, the seven before the interrupt are not done again if they are on disk.
    assert counted.submitted == 3 + 5 * (16 - (7 if seconds == 0 else 0))
    assert not state.exists()


def test_answers_come_from_the_files_of_their_rows(client, folder, shards, expected, tmp_path):
    whole, dense = add_shards(shards, folder / "again.npz"), expected.dense()
    contexts = [59, 0, 31, 0]
    assert expected.shape == SHAPE
    np.testing.assert_array_equal(expected.rows(contexts), dense[contexts])
    np.testing.assert_allclose(expected.at([[59], [3]], [0, 64]), dense[[59, 3]][:, [0, 64]])
    best, chances = expected.top(contexts, 3)
    order = np.argsort(-dense[contexts], axis=1, kind="stable")[:, :3]
    np.testing.assert_array_equal(best, order)
    np.testing.assert_array_equal(chances, np.take_along_axis(dense[contexts], order, axis=1))
    assert expected.top(59, 2)[0].tolist() == order[0, :2].tolist()
    assert 0 not in expected.top(contexts, 69, exclude=[0])[0]
    for had in (whole, whole.sparse()):
        assert expected.top(contexts, 70, exclude=had)[0][1, -1] == -1  # context 0 had pairs
    assert expected.cross_entropy(shards) == pytest.approx(cross_entropy(whole, expected))
    expected.save(tmp_path / "model.npz")
    again = load(tmp_path / "model.npz")  # without a client
    np.testing.assert_array_equal(again.rows(contexts), dense[contexts])
    assert again.ended == expected.ended == "limit"


def test_tables_of_labels_are_numbered_alike(client, tmp_path):
    """Columns of NumPy, such as DuckDB's, and of a partition of Dask, and lists, as of Arrow."""
    pandas = pytest.importorskip("pandas")
    dask = pytest.importorskip("dask")
    contexts, outcomes = ["bob", "ann", "bob"], ["tea", "tea", "milk"]
    both = tuple(Vocabulary(sorted({*labels})) for labels in (contexts, outcomes))
    table = dask.delayed(pandas.DataFrame)({"user": contexts, "item": outcomes}).compute()
    columns = [
        (np.array(contexts, dtype=object), np.array(outcomes, dtype=object)),
        (table["user"], table["item"]),
        (contexts, outcomes),
    ]
    shards = [tmp_path / f"{number}.npz" for number in range(3)]
    for pair, shard in zip(columns, shards, strict=True):
        CountMatrix.from_labels(*pair, both).save(shard)
    found = method("add-half").fit(shards, client=client)
    # bob had three times each of milk and tea, ann three times tea: of two items.
    np.testing.assert_array_equal(found.dense(), [[0.5 / 4, 3.5 / 4], [0.5, 0.5]])


def test_what_needs_all_pairs_in_one_process_is_refused(client, shards, tmp_path):
    refused = {
        "py-lr": ({}, "needs all pairs in one process"),
        "naive-ad-lr": ({"rank": 2}, "needs all pairs in one process"),
        "ad-lr": ({"soft_counts": "leave-one-out"}, "machines add up the soft counts of EM"),
        "add-half-lr": ({"initial": "clusters"}, "initial = 'random', and at least one iteration"),
        "lr": ({"iterations": 0}, "initial = 'random', and at least one iteration"),
        "plsa": ({}, "weight = 'learned': a fit on machines needs a number"),
    }
    for name, (options, message) in refused.items():
        with pytest.raises(ValueError, match=message):
            method(name, **options).fit(shards, client=client, checkpoint=tmp_path)
    tempered = method("plsa", weight=0.1, temperature=0.5)
    with pytest.raises(ValueError, match="machines add up the soft counts of EM"):
        tempered.fit(shards, client=client, checkpoint=tmp_path)
    for wrong in (str(shards[0]), [], CountMatrix.load(shards[0])):
        with pytest.raises(ValueError, match="a list of files of counts is needed"):
            low_rank("lr").fit(wrong, client=client)
    for kind in (np.random.MT19937, np.random.Philox):  # a step of Philox is four numbers
        seed = np.random.Generator(kind(0))
        with pytest.raises(ValueError, match=f"{kind.__name__} cannot skip numbers"):
            low_rank("lr").fit(shards, seed, client=client, checkpoint=tmp_path)
    CountMatrix.from_dense([[1]]).save(tmp_path / "1.npz")
    with pytest.raises(ValueError, match=r"1\.npz: counts of shape \(1, 1\) among others of"):
        low_rank("lr").fit([*shards, tmp_path / "1.npz"], client=client)
    wrong = str(tmp_path / "1.npz")
    assert not any(wrong in memory for memory in [*_MEMORY.values()])  # of the workers
