"""One fit on many machines: the bits do not depend on them, and no killed worker costs a number."""

import gc
import os
import signal
from contextlib import suppress
from functools import partial
from itertools import count
from threading import Thread

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
    "add-half-lr, dense": {},
}
DIRECT = [
    ("add-half", {}),
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
def shards(tmp_path_factory):
    """Files of counts that share contexts; some contexts and outcomes are never seen."""
    folder = tmp_path_factory.mktemp("shards")
    return [write(folder / f"{seed}.npz", seed) for seed in range(BLOCKS)]


@pytest.fixture(scope="module")
def whole(shards):
    return add_shards(shards, shards[0].with_name("whole.npz"))


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
def test_one_block_has_the_bits_of_a_fit_in_one_process(name, update, client, whole, tmp_path):
    id, _, form = name.partition(", ")
    counts = CountMatrix.from_dense(np.arange(180).reshape(20, 9) % 4 + 1) if form else whole
    counts.save(tmp_path / "one.npz")
    estimator = low_rank(id, update=update, **EM[name])
    expected = estimator.fit(counts, seed=3)
    found = estimator.fit([tmp_path / "one.npz"], 3, client=client).part(0)
    assert_same(
        [found.W, found.H, found.history, found.left, found.right],
        [expected.W, expected.H, expected.history, expected.left, expected.right],
    )
    assert found.converged == expected.converged


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
    """A client that acts when it has submitted so many tasks, of which ``idle`` must get none."""

    def __init__(self, client, actions, idle=None):
        self._client, self._actions, self._idle, self.submitted = client, actions, idle, 0

    def __getattr__(self, name):
        return getattr(self._client, name)

    def submit(self, *task, **how):
        assert self._idle not in how.get("workers", ())
        future = self._client.submit(*task, **how)
        self.submitted += 1
        self._actions.get(self.submitted, int)()
        return future


# Three blocks and their sum are four tasks: of the pairs before each row, of totals, of the start,
# of each of twelve passes and of the last look, and of the files of the result.
SUM, SUMS = 4, 3 + 12 + 2


def test_workers_that_are_killed_cost_no_number(shards, expected, tmp_path):
    """While sums are taken, in passes and at the end, with a checkpoint of W and without."""

    def kill():
        for pid in [*client.run(os.getpid, on_error="ignore").values()][-1:]:
            os.kill(pid, signal.SIGKILL)

    how = {"dashboard_address": ":0", "worker_dashboard_address": ":0", "silence_logs": 50}
    with distributed.Client(n_workers=2, threads_per_worker=1, **how) as client:
        plain = Client(client, {})
        fit = low_rank("add-half-lr").fit
        assert_same(bits_of(fit(shards, 3, client=plain, checkpoint=tmp_path)), bits_of(expected))
        assert plain.submitted == SUM * SUMS
        for seconds, moments in ((60, [SUM * 10 + 2]), (0, [SUM + 2, SUM * 16 + 3])):
            killing = Client(client, dict.fromkeys(moments, kill))
            place = Checkpoint(tmp_path, seconds)
            found = fit(shards, 3, client=killing, checkpoint=place)
            assert_same(bits_of(found), bits_of(expected))
            assert killing.submitted > plain.submitted
    gc.collect()


def test_a_worker_that_does_not_run_gets_no_block(shards, expected, tmp_path, monkeypatch):
    """The scheduler lists a worker that is paused, or was killed as it registered, for minutes."""

    def pause(dask_worker):
        dask_worker.status = distributed.Status.paused

    how = {"n_workers": 2, "memory_limit": 0, "dashboard_address": ":0"}
    fit = partial(low_rank("add-half-lr").fit, shards, 3, checkpoint=tmp_path)
    with distributed.Client(processes=False, threads_per_worker=1, **how) as client:
        idle, busy = client.nthreads()
        client.run(pause, workers=[idle])
        assert_same(bits_of(fit(client=Client(client, {}, idle))), bits_of(expected))
        client.run(pause, workers=[busy])
        monkeypatch.setattr("condprob.machines.LONGEST", 0.0)
        with pytest.raises(RuntimeError, match="no worker of the cluster ran for 0 seconds; the"):
            fit(client=client)


@pytest.mark.parametrize("seconds", [0, 60])
def test_a_fit_that_was_interrupted_goes_on(seconds, client, shards, expected, tmp_path):
    def write_late():  # as a worker does whose task of the interrupted fit has not ended
        with suppress(FileNotFoundError):
            for number in count():
                (state / f"W-{number}.npz").touch()

    estimator, place = low_rank("add-half-lr"), Checkpoint(tmp_path, seconds)
    first = Client(client, {SUM * 10 + 2: partial(signal.raise_signal, signal.SIGINT)})
    with pytest.raises(KeyboardInterrupt):
        estimator.fit(shards, 3, client=first, checkpoint=place)
    (state,) = tmp_path.iterdir()  # the result is written at the end
    assert state.name.startswith("unfinished-")
    # Of twelve passes, the seven before the interrupt are not done again if they are on disk.
    tasks, late = SUM * (SUMS - (7 if seconds == 0 else 0)), Thread(target=write_late)
    counted = Client(client, {tasks: late.start})
    found = estimator.fit(shards, 3, client=counted, checkpoint=place)
    late.join()
    assert_same(bits_of(found), bits_of(expected))
    assert counted.submitted == tasks
    assert not list(tmp_path.glob("unfinished-*"))


def test_answers_come_from_the_files_of_their_rows(whole, shards, expected, tmp_path):
    dense, contexts = expected.dense(), [59, 0, 31, 0]
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


def test_tables_of_labels_are_numbered_alike():
    """Columns of NumPy, such as DuckDB's, of pandas, as in a partition of Dask, lists, of Arrow."""
    pandas = pytest.importorskip("pandas")
    columns = ["bob", "ann", "bob"], ["tea", "tea", "milk"]
    both = tuple(Vocabulary(sorted({*labels})) for labels in columns)
    for form in (list, pandas.Series, lambda labels: np.array(labels, dtype=object)):
        found = CountMatrix.from_labels(*map(form, columns), both)
        np.testing.assert_array_equal(found.dense(), [[0, 1], [1, 1]])  # ann, bob: milk, tea


def test_what_needs_all_pairs_in_one_process_is_refused(client, shards, tmp_path):
    for name, options, message in [
        ("py-lr", {}, "needs all pairs in one process"),
        ("naive-ad-lr", {"rank": 2}, "needs all pairs in one process"),
        ("plsa", {"weight": 0.1, "temperature": 0.5}, "machines add up the soft counts of EM"),
        ("plsa", {}, "weight = 'learned': a fit on machines needs a number"),
        ("add-half-lr", {"initial": "clusters"}, "'random', and at least one iteration"),
        ("lr", {"iterations": 0}, "'random', and at least one iteration"),
    ]:
        with pytest.raises(ValueError, match=message):
            method(name, **options).fit(shards, client=client, checkpoint=tmp_path)
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
    assert not any(_MEMORY.values())  # of the workers, which were told to forget each of these fits
