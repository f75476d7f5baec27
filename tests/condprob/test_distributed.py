"""A fit on Dask workers: whose result it is, the same bits wherever, and no killed worker tells."""

import gc
import os
import signal
from pathlib import Path
from unittest.mock import Mock

import numpy as np
import pytest
from inputs import in_case

import condprob
from condprob import CountMatrix, LowRankMatrix, add_shards, cross_entropy, method
from condprob import distributed as ours
from condprob.shards import PartOfCounts, Totals

dask = pytest.importorskip("dask.distributed", reason="dask.distributed is not installed")
configured = pytest.importorskip("dask.config").set
locket = pytest.importorskip("locket")
# Dask leaves sockets to Python, which closes them; and it tells of a machine that is busy.
pytestmark = pytest.mark.filterwarnings("ignore::ResourceWarning", "ignore:Creating scratch")

SHAPE, SHARDS = (60, 70), 3
EM = {
    "lr": {},
    "add-half-lr": {"tol": 1e-3},
    "ad-lr": {"unseen": "unigram"},
    "plsa": {"weight": 0.1},
    "add-half-lr, dense": {"history": True},
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
    with dask.Client(processes=False, **how) as found:
        yield found


@pytest.fixture
def shards(tmp_path):
    """Files of counts that share contexts; some contexts and outcomes are never seen."""
    return [write(tmp_path / f"{seed}.npz", seed) for seed in range(SHARDS)]


@pytest.fixture
def whole(shards):
    return add_shards(shards, shards[0].with_name("whole.npz"))


@pytest.fixture(scope="module")
def expected(client, tmp_path_factory):
    """A fit in one process by the parts that all clusters have."""
    folder = tmp_path_factory.mktemp("expected")
    return fit([write(folder / f"{seed}.npz", seed) for seed in range(SHARDS)], client)


def write(path, seed, share=1.0):
    rng = np.random.default_rng(seed)
    pairs = rng.integers(0, [[50], [65]], (2, 400)) * rng.integers(0, 2, (2, 400))
    (CountMatrix.from_pairs(*pairs, shape=SHAPE) * share).save(path)
    return path


def low_rank(name="add-half-lr", **options):
    return method(name, **{"rank": 5, "iterations": 5, **options})


def fit(shards, client, estimator=None, seed=3, **how):
    how = {"every": 2, **how}
    return ours.fit(estimator or low_rank(), [str(shard) for shard in shards], client, seed, **how)


def bits_of(model):
    """The factors and the course of a fit."""
    return [model.W, model.H, model.history]


def file_of(model):
    """The file of a model."""
    return Path((model.W if isinstance(model, LowRankMatrix) else model.left).filename)


def assert_same(found, expected):
    for mine, theirs in zip(found, expected, strict=True):
        np.testing.assert_array_equal(mine, theirs)


def in_one_line(caught):
    assert "\n" not in str(caught.value)
    return str(caught.value)


@pytest.mark.filterwarnings("ignore:tol")
@pytest.mark.parametrize("update", ["simultaneous", "alternating"])
@pytest.mark.parametrize("name", EM)
def test_one_shard_has_the_bits_of_a_fit_in_one_process(name, update, client, whole, tmp_path):
    id, _, form = name.partition(", ")
    counts = CountMatrix.from_dense(np.arange(180).reshape(20, 9) % 4 + 1) if form else whole
    counts.save(tmp_path / "one.npz")
    estimator = low_rank(id, update=update, **EM[name])
    expected, found = estimator.fit(counts, seed=3), fit([tmp_path / "one.npz"], client, estimator)
    assert_same(
        [found.W, found.H, found.history, found.left, found.right],
        [expected.W, expected.H, expected.history, expected.left, expected.right],
    )
    assert found.converged == expected.converged
    assert found.ended == expected.ended
    assert_same(found.seen, expected.seen)


@pytest.mark.parametrize("share", [1.0, 0.3])
@pytest.mark.parametrize(("name", "options"), DIRECT)
def test_direct_methods_need_sums_alone(name, options, share, client, tmp_path):
    shards = [write(tmp_path / f"{seed}.npz", seed, share) for seed in range(SHARDS)]
    estimator, whole = method(name, **options), add_shards(shards, tmp_path / "whole.npz")
    if share < 1 and isinstance(options.get("discount"), str):
        with pytest.raises(ValueError, match="requires whole counts, but these have fractions"):
            fit(shards, client, estimator)
        return
    found, expected = fit(shards, client, estimator), estimator.fit(whole)
    assert_same(found.seen, expected.seen)
    # Sums of whole numbers are exact; sums of fractions depend on their order.
    np.testing.assert_allclose(found.dense(), expected.dense(), rtol=0, atol=1e-15)


def test_shards_change_the_order_of_sums_alone(expected, whole):
    alone = low_rank().fit(whole, seed=3)
    np.testing.assert_allclose(expected.dense(), alone.dense(), rtol=1e-10)
    np.testing.assert_allclose(expected.history, alone.history, rtol=1e-12)
    assert expected.shape == SHAPE
    assert_same(expected.seen, alone.seen)
    assert isinstance(expected, LowRankMatrix)
    assert isinstance(expected.W, np.memmap)


def test_open_files_do_not_grow_with_the_shards(client, tmp_path, monkeypatch):
    """All workers are threads of this process, which has the open files of all of them."""
    counted, passed = [], ours.Passes.visit_all

    def noted(*args):
        found = passed(*args)
        counted.append(len(os.listdir("/dev/fd")))
        return found

    monkeypatch.setattr(ours.Passes, "visit_all", noted)
    files = [write(tmp_path / str(seed), seed) for seed in range(30)]
    fit(files[:2], client)
    few = max(counted)
    counted.clear()
    found = fit(files, client)
    assert max(counted) < few + 10
    alone = low_rank().fit(add_shards(files, tmp_path / "sum"), seed=3)
    np.testing.assert_allclose(found.dense(), alone.dense(), rtol=1e-9)


def test_workers_that_are_killed_at_any_moment_cost_no_number(client, shards, monkeypatch):
    """One of two, between checkpoints; the same one again, perhaps while it starts; the other."""
    long = low_rank(iterations=12)
    expected = fit(shards, client, long, every=5, path=shards[0].with_name("expected"))
    results, result = [], ours.Workers.result
    how = {"n_workers": 2, "threads_per_worker": 1, "dashboard_address": ":0", "silence_logs": 50}

    def killing(workers, future):
        victim = cluster.workers[{16: 1}.get(len(results), 0)].pid
        if len(results) in (9, 12, 16) and victim:  # there is none for a moment after a kill
            os.kill(victim, signal.SIGKILL)
        results.append(future)
        return result(workers, future)

    monkeypatch.setattr(ours.Workers, "result", killing)
    settings = {
        # Or the cluster does without a worker that is not there 15 seconds after it was lost.
        "distributed.deploy.lost-worker-timeout": "2 minutes",
        "distributed.worker.multiprocessing-method": "forkserver",  # workers start in less time
    }
    with configured(settings), dask.LocalCluster(**how) as cluster, dask.Client(cluster) as other:
        assert_same(bits_of(fit(shards, other, long, every=5)), bits_of(expected))
    assert len(results) > 16
    gc.collect()


BRIEF = {"iterations": 2}  # of fits of which only files are asked


def test_a_second_fit_leaves_the_first_as_it_was(client, shards):
    brief = low_rank(**BRIEF)
    first = fit(shards, client, brief)
    before, files = bits_of(first), {file_of(first)}
    for estimator, seed, these in [
        (low_rank(rank=4, **BRIEF), 3, shards),
        (low_rank("ad-lr", **BRIEF), 3, shards),
        (brief, 4, shards),
        (brief, 3, shards[:2]),
        (method("add-half"), 3, shards),
    ]:
        files.add(file_of(fit(these, client, estimator, seed)))
    write(shards[1], 9)
    other = fit(shards, client, brief)
    files.add(file_of(other))
    assert len(files) == 7
    assert_same(bits_of(condprob.load(file_of(first))), before)
    assert not np.array_equal(bits_of(other)[0], before[0])
    assert {*shards[0].with_name("fits").iterdir()} == files


def test_the_same_fit_is_not_done_again(client, shards, monkeypatch):
    before = fit(shards, client, low_rank(**BRIEF))
    monkeypatch.setattr(ours, "_write_parts", None)
    assert_same(bits_of(fit(shards, client, low_rank(**BRIEF))), bits_of(before))


def test_the_file_is_that_of_any_model(client, shards, expected, tmp_path, monkeypatch):
    path = tmp_path / "model.safetensors"
    model = fit(shards, client, path=path)
    for found in (model, condprob.load(path), condprob.load(path, mmap=True)):
        assert_same(bits_of(found), bits_of(expected))
    found.save(tmp_path / "copy")
    assert_same(bits_of(condprob.load(tmp_path / "copy")), bits_of(expected))
    assert {each.name for each in tmp_path.iterdir()} == {
        *("model.safetensors", "copy"),
        *(shard.name for shard in shards),
    }
    monkeypatch.setattr(ours, "_write_parts", None)
    assert_same(bits_of(fit(shards, client, path=path)), bits_of(expected))


def test_a_finished_fit_whose_file_is_damaged_or_lost_is_done_again(client, shards):
    model = fit(shards, client, low_rank(**BRIEF))
    before, path = [np.array(each) for each in bits_of(model)], file_of(model)
    del model
    raw = path.read_bytes()
    # Within an array only its checksum tells of a change.
    changed = bytes([*raw[:-9], raw[-9] ^ 1, *raw[-8:]])
    for how, damaged in {"cut": raw[:-9], "changed": changed, "empty": b"", "lost": None}.items():
        with in_case(how):
            path.unlink()
            if damaged is not None:
                path.write_bytes(damaged)
            assert_same(bits_of(fit(shards, client, low_rank(**BRIEF))), before)
            assert_same(bits_of(condprob.load(path)), before)


def test_a_file_of_another_fit_or_of_something_else_is_not_replaced(client, shards, tmp_path):
    path = tmp_path / "model.safetensors"
    fit(shards, client, path=path)
    raw = path.read_bytes()
    for estimator, content in ((low_rank(rank=4), raw), (low_rank(), raw[:-1]), (low_rank(), b"x")):
        path.write_bytes(content)
        with pytest.raises(ValueError, match="not the model of this fit, or damaged") as caught:
            fit(shards, client, estimator, path=path)
        in_one_line(caught)
        assert path.read_bytes() == content
    with pytest.raises(ValueError, match="is read as"):
        fit(shards, client, path=shards[1])
    with pytest.raises(FileNotFoundError, match="absent"):
        fit(shards, client, path=tmp_path / "absent" / "model")


@pytest.mark.parametrize("how", ["cut", "lost", "of another fit"])
def test_a_part_that_is_damaged_or_lost_is_made_again(client, shards, expected, monkeypatch, how):
    """Before the parts are joined: from the last checkpoint the same call makes all of them."""
    join = ours._join

    def spoiled(path, files, rows, identity):
        if how == "cut":
            files[1].write_bytes(files[1].read_bytes()[:-9])
        elif how == "lost":
            files[1].unlink()
        else:
            low_rank(rank=5).fit(CountMatrix.from_dense(np.eye(70))).save(files[1])
        join(path, files, rows, identity)

    with monkeypatch.context() as patch:
        patch.setattr(ours, "_join", spoiled)
        with pytest.raises((ValueError, FileNotFoundError), match="part-1") as caught:
            fit(shards, client)
        in_one_line(caught)
    (folder,) = shards[0].with_name("fits").iterdir()
    assert folder.suffix == ours.UNFINISHED
    assert_same(bits_of(fit(shards, client)), bits_of(expected))
    assert not folder.exists()


def test_rows_of_parts_are_joined_with_less_than_all_of_them_in_memory(tmp_path):
    """Sparse parts too, some of them without pairs; entries and contexts get other numbers."""
    counts = CountMatrix.from_dense(np.random.default_rng(0).poisson(0.2, (90, 40)))
    whole = method("kn").fit(counts)
    rows, totals = [(0, 20), (20, 21), (21, 90)], Totals.of(counts)
    files = [tmp_path / str(number) for number in range(3)]
    for (start, stop), file in zip(rows, files, strict=True):
        these = slice(*counts.indptr[[start, stop]])
        indptr = counts.indptr[start : stop + 1] - counts.indptr[start]
        arrays = indptr, counts.outcomes[these], counts.values[these]
        part = CountMatrix((stop - start, 40), *arrays)
        method("kn").fit_counts(PartOfCounts.of(part, totals), ours.Run()).save(file)
    ours._join(tmp_path / "joined", files, rows, "any")
    found = condprob.load(tmp_path / "joined")
    assert found.arrays().keys() == whole.arrays().keys()
    for name, array in whole.arrays().items():
        np.testing.assert_array_equal(found.arrays()[name], array)
    others = (
        CountMatrix.from_dense(np.ones((69, 40))),
        CountMatrix.from_dense(counts.dense()[21:80]),
    )
    for other in others:  # of other outcomes, and of other rows
        part = PartOfCounts.of(other, totals if other is others[1] else Totals.of(other))
        method("kn").fit_counts(part, ours.Run()).save(files[2])
        with pytest.raises(ValueError, match=r"2: not a part of this fit; the same call"):
            ours._join(tmp_path / "joined", files, rows, "any")


def test_a_folder_in_use_is_told(client, shards):
    model = fit(shards, client)
    folder = file_of(model).with_suffix(ours.UNFINISHED)
    file_of(model).unlink()
    folder.mkdir()
    with locket.lock_file(str(folder / "lock")):
        with pytest.raises(ValueError, match="another fit of the same is under way") as caught:
            fit(shards, client)
        in_one_line(caught)
    assert_same(bits_of(fit(shards, client)), bits_of(model))


def test_a_file_system_without_locks_does(client, shards, monkeypatch):
    monkeypatch.setattr(locket, "lock_file", Mock(side_effect=OSError(38, "not implemented")))
    fit(shards, client, method("add-half"))


def test_a_shard_that_is_exchanged_during_a_fit_is_told(client, shards, monkeypatch):
    def exchanging(file, timeout):
        write(shards[1], 9)
        return lock(file, timeout=timeout)

    lock = locket.lock_file
    monkeypatch.setattr(locket, "lock_file", exchanging)
    with pytest.raises(ValueError, match=r"1\.npz: its counts have changed since") as caught:
        fit(shards, client)
    in_one_line(caught)


@pytest.mark.parametrize("stop", [1, 2, 3])
def test_an_interrupted_fit_goes_on_from_its_checkpoint(
    stop, client, shards, expected, monkeypatch
):
    """After 2 and 4 of 5 iterations, and before the file of the model is written."""
    saves, passes, visit = [], [], ours.Passes.visit_all

    def counted(engine, update_W, wanted=True):
        passes.append(update_W)
        return visit(engine, update_W, wanted)

    def interrupted(keeper, done, is_last=False):
        save(keeper, done, is_last)
        if done and done % 2 == 0:
            saves.append(sum(passes))
            if len(saves) == stop:
                raise KeyboardInterrupt

    save = ours.KeeperOfParts.save
    monkeypatch.setattr(ours.Passes, "visit_all", counted)
    monkeypatch.setattr(ours.KeeperOfParts, "save", interrupted)
    with monkeypatch.context() as patch:
        patch.setattr(ours, "_join", Mock(side_effect=KeyboardInterrupt))
        with pytest.raises(KeyboardInterrupt):
            fit(shards, client)
    assert saves == [2, 4][:stop]
    (folder,) = shards[0].with_name("fits").iterdir()
    assert folder.suffix == ours.UNFINISHED
    assert_same(bits_of(fit(shards, client)), bits_of(expected))
    assert sum(passes) == (5 if stop < 3 else 6)
    assert not folder.exists()


def test_a_damaged_checkpoint_is_told(client, shards, monkeypatch):
    def interrupted(engine, done):
        read(engine, done)
        raise KeyboardInterrupt

    read = ours.Passes.read_rows
    with monkeypatch.context() as patch:
        patch.setattr(ours.Passes, "read_rows", interrupted)
        with pytest.raises(KeyboardInterrupt):
            fit(shards, client)
    (kept,) = shards[0].with_name("fits").glob(f"*{ours.UNFINISHED}/W-2-1")
    raw = kept.read_bytes()
    for damaged in (raw.replace(raw[-300:-290], bytes(10)), raw[:-8], b""):
        kept.write_bytes(damaged)
        with pytest.raises(ValueError, match="W-2-1: ") as caught:
            fit(shards, client)
        in_one_line(caught)
    kept.write_bytes(raw)
    fit(shards, client)


def test_answers_come_from_the_files_of_their_rows(whole, shards, expected):
    dense, contexts = expected.dense(), [59, 0, 31, 0]
    assert expected.shape == SHAPE
    np.testing.assert_array_equal(expected.rows(contexts), dense[contexts])
    np.testing.assert_allclose(expected.at([[59], [3]], [0, 64]), dense[[59, 3]][:, [0, 64]])
    best, chances = expected.top(contexts, 3)
    order = np.argsort(-dense[contexts], axis=1, kind="stable")[:, :3]
    np.testing.assert_array_equal(best, order)
    np.testing.assert_array_equal(chances, np.take_along_axis(dense[contexts], order, axis=1))
    assert expected.top(contexts, 70, exclude=whole)[0][1, -1] == -1  # context 0 had pairs
    losses = [cross_entropy(CountMatrix.load(shard), expected) for shard in shards]
    assert np.mean(losses) == pytest.approx(cross_entropy(whole, expected))
    assert expected.rows([]).shape == (0, SHAPE[1])
    for wrong in (60, -1):
        with pytest.raises(ValueError, match="contexts"):
            expected.rows([wrong])


def test_what_needs_all_pairs_in_one_process_is_refused(client, shards, tmp_path):
    for name, options, message in [
        ("py-lr", {}, "needs all pairs in one process"),
        ("naive-ad-lr", {"rank": 2}, "needs all pairs in one process"),
        ("plsa", {"weight": 0.1, "temperature": 0.5}, "soft counts of EM, which these are not"),
        ("plsa", {}, "weight = 'learned': a distributed fit needs a number"),
        ("add-half-lr", {"initial": "clusters"}, "needs initial = 'random', and iterations >= 1"),
        ("lr", {"iterations": 0}, "needs initial = 'random', and iterations >= 1"),
    ]:
        with pytest.raises(ValueError, match=message):
            fit(shards, client, method(name, **options))
    with pytest.raises(ValueError, match="method = 'kn': must be an estimator"):
        fit(shards, client, "kn")
    for wrong in (str(shards[0]), [], CountMatrix.load(shards[0])):
        with pytest.raises(ValueError, match="pass a list of files of counts"):
            ours.fit(low_rank(), wrong, client)
    for kind in (np.random.MT19937, np.random.Philox):  # a step of Philox is four numbers
        with pytest.raises(ValueError, match=f"{kind.__name__} cannot skip ahead"):
            fit(shards, client, seed=np.random.Generator(kind(0)))
    CountMatrix.from_dense([[1]]).save(tmp_path / "small.npz")
    with pytest.raises(ValueError, match=r"small\.npz: counts of shape \(1, 1\) among others of"):
        fit([*shards, tmp_path / "small.npz"], client)
    with pytest.raises(FileNotFoundError, match="none"):
        fit([*shards, tmp_path / "none.npz"], client)


def test_a_task_that_dask_gives_up_is_tried_again(client, shards, expected, monkeypatch):
    """Dask gives a task up after four killed workers; a fit goes on from its last checkpoint."""
    left, attempt = [], ours._fit

    def losing(*arguments):
        if left:
            raise left.pop()
        return attempt(*arguments)

    monkeypatch.setattr(ours, "_fit", losing)
    lost = [dask.KilledWorker("task", None, 4), dask.CancelledError("task")]
    left.extend(lost)
    assert_same(bits_of(fit(shards, client)), bits_of(expected))
    left.extend(lost * 3)
    with pytest.raises(RuntimeError, match="its workers were lost 5 times; the same") as caught:
        fit(shards, client, seed=4)
    in_one_line(caught)


def test_clients_that_do_not_run_are_told(shards, monkeypatch):
    for wrong in (None, "tcp://the-scheduler:8786", object()):
        with pytest.raises(ValueError, match=r"client = .*: must be a dask\.distributed\.Client"):
            fit(shards, wrong)
    how = {"processes": False, "dashboard_address": ":0"}
    with dask.LocalCluster(n_workers=0, **how) as cluster:
        with dask.Client(cluster) as client:
            monkeypatch.setattr(ours, "LONGEST_IDLE", 0.1)
            monkeypatch.setattr(ours, "SECONDS_BETWEEN_LOOKS", 0.1)
            with pytest.raises(RuntimeError, match="client: no worker had a task for") as caught:
                fit(shards, client)
            in_one_line(caught)
        with pytest.raises(
            ValueError, match=r"client = .*: must be a dask\.distributed\.Client"
        ) as caught:
            fit(shards, client)
        in_one_line(caught)
        monkeypatch.setattr(dask.Client, "asynchronous", property(lambda self: True))
        with pytest.raises(ValueError, match="Client that runs, and is not asynch"):
            fit(shards, client)


def test_a_fit_that_has_not_settled_warns(client, shards):
    with pytest.warns(UserWarning, match="tol"):
        fit(shards, client, low_rank(tol=1e-12))


def test_a_pass_changes_no_result_of_one_before(tmp_path):
    """Each ``W`` that somebody has stays; the task may be done again, and gives the same bits."""
    rng = np.random.default_rng(0)
    counts = CountMatrix.from_pairs(*rng.integers(0, [[50], [40]], (2, 600)), shape=(50, 40))
    part = ours.PartOfCounts.of(counts, ours.Totals.of(counts))
    problem, W, _ = ours._begin_part(part, (0, 50), seed=1, m=5)
    H = rng.dirichlet(np.ones(part.seen_outcomes.size), 5).T
    ours.write_arrays(tmp_path / "H.npz", {"H": H})
    how = {"H": str(tmp_path / "H.npz"), "smoothing": ours.Smoothing(0.5, 0.5, 0.0)}
    how |= {"update_W": True, "wanted": True}
    results, before = [W], [W.copy()]
    for _ in range(4):
        results.append(ours._pass(problem, results[-1], **how)[0])
        before.append(results[-1].copy())
    for k, result in enumerate(results):
        np.testing.assert_array_equal(result, before[k])
        assert not any(np.shares_memory(result, other) for other in results[:k])
    for found in (ours._pass(problem, before[2], **how)[0] for _ in range(2)):
        np.testing.assert_array_equal(found, before[3])
