"""One fit to counts in many files, on the workers of a Dask cluster: `fit`, `save` and `load`.

The rows of all shards together are cut into parts, as many as there are shards, with about the same
number of pairs. Dask holds the parts and their rows of ``W`` as results of tasks: it places them,
and does again what a lost worker had. No task changes what another has made. An iteration of EM is
a pass over each part (`em.Expectation.visit`) and the sum of their soft counts, along a tree that
the shards alone determine. So the numbers are the same bits whatever the workers are.

All files of a fit are in a folder that the checksum of counts, method, options and seed names. The
file of the model is written last, and has the checksum of each part: see `load`.
"""

import os
import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext, suppress
from copy import deepcopy
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import pairwise
from operator import itemgetter
from os import PathLike
from pathlib import Path
from time import monotonic
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from condprob import __version__
from condprob.checkpoints import checksum
from condprob.checks import Seed, check_integer, check_labels, check_rising, check_seed, in_brief
from condprob.counts import CountMatrix
from condprob.direct import AbsoluteDiscounting, AddHalf
from condprob.em import Expectation
from condprob.em.passes import Smoothing
from condprob.em.problem import Problem
from condprob.em.starts import draw_rows, skip
from condprob.entries import read_only, take
from condprob.estimator import Estimator
from condprob.io import FORMAT, VERSION, read_arrays, replacing, write_arrays
from condprob.io import load as load_model
from condprob.jit import sum_of_logs
from condprob.kneser_ney import KneserNey, StupidBackoff
from condprob.low_rank import Factorised, LowRank, complete
from condprob.matrix import ConditionalMatrix, at_pairs
from condprob.model import Ended, take_ended, worst_end
from condprob.progress import shown
from condprob.shards import Part, Shards, Totals, add_rows, check_shapes

KIND, MODEL, COURSE = "distributed", "model.npz", "course.npz"
DIRECT = AddHalf, AbsoluteDiscounting, StupidBackoff, KneserNey  # a fit to a part is its rows
# Results that a task adds up: a power of two, so that the sums are those of a binary tree.
SUMMANDS = 8
PATIENCE = 5.0  # seconds between two looks at the cluster while a result is awaited
LONGEST = 100.0  # seconds that no worker has a task, after which a fit does not wait any more
# Dask gives a task up whose worker was killed four times. So often a fit goes on by itself.
ATTEMPTS = 5


def fit(
    method: Estimator,
    shards: Shards,
    client: Any,
    seed: Seed = 0,
    *,
    folder: str | PathLike[str] | None = None,
    every: int = 50,
    progress: bool = False,
) -> "DistributedMatrix":
    """Fit the sum of counts in files on the workers of a Dask client.

    The random start is that of a fit in one process, and one shard gives the bits of
    ``method.fit(counts, seed)``. More shards change the order of sums alone.

    Parameters
    ----------
    method : Estimator
        A method of EM with a random start (``lr``, ``add-half-lr``, ``ad-lr``, ``plsa`` without
        learned settings), or ``add-half``, ``laplace``, ``ad``, ``sb``, ``kn``.
    shards : sequence of str or path
        Files that `CountMatrix.save` wrote, all of one shape. They may share contexts.
    client : dask.distributed.Client
        Its workers and this process see the files by the same names.
    seed : int, numpy.random.SeedSequence or numpy.random.Generator
    folder : str or path, optional
        Where the folder of the fit is made; by default ``fits`` beside the first shard. The same
        call goes on where a fit was interrupted, and answers at once where it was finished.
    every : int
        Iterations between two checkpoints. So many are done again after a stop, and at most so
        many by the worker that gets the part of a lost one.
    progress : bool

    Raises
    ------
    ValueError
        If the method needs all pairs in one process, the shards do not go together or have changed
        since the fit began, another fit writes to the folder, or the client is none that runs.
    OSError
        If a file cannot be read or written.
    RuntimeError
        If no worker has taken a task for 100 seconds, or the cluster has gone.
    """
    check_seed(seed)
    _check_method(method)
    every = check_integer("every", every, 1)
    if not isinstance(shards, list | tuple) or not shards:
        raise ValueError("shards: a list of files of counts is needed, as add_shards takes it")
    files = [os.path.abspath(shard) for shard in shards]
    place = Path(os.path.abspath(folder or Path(files[0]).with_name("fits")))
    for _ in range(ATTEMPTS):
        cluster = Cluster(check_client(client))
        try:
            return _fit(cluster, method, files, seed, place, every, progress)
        except cluster.losses:
            continue
        finally:
            cluster.close()
    again = "the same call goes on where this one was"
    raise RuntimeError(f"client: its workers were lost {ATTEMPTS} times; {again}")


def save(model: "DistributedMatrix", folder: str | PathLike[str]) -> None:
    """Copy a model to a folder that is empty or not there; each part is compared first.

    Raises
    ------
    ValueError
        If the folder has files, or a part is not the one that the fit has written.
    OSError
        If a file cannot be read or written.
    """
    target = Path(folder)
    target.mkdir(parents=True, exist_ok=True)
    if next(target.iterdir(), None) is not None:
        raise ValueError(f"{target}: has files; an empty folder, or a new name, is needed")
    for number, file in enumerate(model.files):
        model.part(number)
        with open(file, "rb") as source, replacing(target / file.name) as copy:
            shutil.copyfileobj(source, copy)
    _write_head(target, model.bounds, model.columns, model.end, model.checksums)


def load(folder: str | PathLike[str]) -> "DistributedMatrix":
    """Read a model that `fit` or `save` has written; its folder may have been moved or copied.

    Raises
    ------
    ValueError
        If the folder has no finished model. Shape and checksum of a part are compared when it is
        opened first: another part raises ValueError there.
    OSError
        If a file cannot be read.
    """
    path = Path(os.path.abspath(folder))
    path = path.parent if path.name == MODEL else path
    if not (file := path / MODEL).exists():
        raise ValueError(f"{folder}: has no {MODEL}, which is written last: no finished fit")
    arrays = read_arrays(file)
    head = arrays.get(FORMAT, np.array(0))
    if head.tolist() != [KIND, VERSION]:
        raise ValueError(f"{file}: not the model of a distributed fit, or of another version")
    try:
        checksums = tuple(take(arrays, "checksums", "U", (None,)).tolist())
        bounds = take(arrays, "bounds", "i", (len(checksums) + 1,))
        check_rising(bounds, bounds[-1], "bounds")
        columns, end = take(arrays, "columns", "i", (), 1).item(), take_ended(arrays)
    except ValueError as error:
        raise ValueError(f"{file}: damaged, {error}") from None
    return DistributedMatrix(path, bounds, columns, end, checksums)


def check_client(client: Any) -> Any:
    """Return a client that runs, or raise ValueError in one line."""
    try:
        from dask.distributed import Client
    except ImportError:
        raise ImportError("a distributed fit needs Dask: pip install 'dask[distributed]'") from None
    if not isinstance(client, Client):
        raise ValueError(f"client = {in_brief(client)}: a dask.distributed.Client is needed")
    if client.asynchronous:
        raise ValueError("client: it is asynchronous; a Client(address) of its own is needed")
    if client.status != "running":
        raise ValueError(f"client: it is {client.status}; a Client that runs is needed")
    return client


def _check_method(method: Estimator) -> None:
    """Raise ValueError unless a row follows from its own counts and from sums over all rows."""
    if not isinstance(method, Estimator):
        raise ValueError(f"method = {in_brief(method)}: an estimator is needed, as of method(id)")
    has_passes = isinstance(method, LowRank) and type(method).fit_factors is LowRank.fit_factors
    if not has_passes and type(method).fit_counts not in [each.fit_counts for each in DIRECT]:
        raise ValueError(f"{type(method).__name__} needs all pairs in one process")
    for name, value in vars(method).items():
        if isinstance(value, str) and value == "learned":
            raise ValueError(f"{name} = 'learned': a distributed fit needs a number")
    if has_passes and (method.initial != "random" or not method.iterations):
        raise ValueError("a distributed fit needs initial = 'random', and iterations >= 1")
    if has_passes and not method.is_expectation:
        raise ValueError("a distributed fit adds up soft counts of EM, which these are not")


class Cluster:
    """The workers of a client: tasks over parts, and their sum along a fixed tree."""

    def __init__(self, client: Any) -> None:
        from dask.distributed import CancelledError, KilledWorker, wait

        self.client, self.wait = client, wait
        self.losses = CancelledError, KilledWorker, TimeoutError

    def map(self, function: Callable, *lists: list, **how: Any) -> list:
        """Return the futures of a function of each part, which share nothing with other calls."""
        return self.client.map(function, *lists, **how, pure=False)

    def split(self, futures: list) -> list[list]:
        """Return the futures of both halves of pairs."""
        return [self.map(itemgetter(place), futures) for place in (0, 1)]

    def sum(self, futures: list) -> tuple:
        """Return the sum of tuples."""
        return self.result(self.add(futures))

    def add(self, futures: list) -> Any:
        """Return the future of the sum of tuples, by `_add`."""
        while len(futures) > 1:
            groups = [futures[i : i + SUMMANDS] for i in range(0, len(futures), SUMMANDS)]
            futures = [self.client.submit(_add, *group, pure=False) for group in groups]
        return futures[0]

    def all(self, futures: list) -> list:
        """Return the results of futures."""
        return self.result(self.client.submit(_listed, *futures, pure=False))

    def result(self, future: Any) -> Any:
        """Return the result of a future; raise TimeoutError if workers run, and none has a task.

        Raises RuntimeError if no worker, or no scheduler, has run for so long.
        """
        busy, again = monotonic(), "the same call goes on where this one was"
        while not future.done():
            with suppress(TimeoutError):
                self.wait([future], PATIENCE)
                break
            try:
                tasks = self.client.processing()  # of each worker
            except OSError:
                raise RuntimeError(f"client: the scheduler is gone; {again}") from None
            if any(tasks.values()):
                busy = monotonic()
            elif monotonic() - busy > LONGEST and tasks:
                raise TimeoutError
            elif monotonic() - busy > LONGEST:
                message = f"no worker of the cluster ran for {LONGEST:g} seconds"
                raise RuntimeError(f"client: {message}; {again}")
        return future.result(LONGEST)

    def close(self) -> None:
        """Have the workers that run close the shards."""
        with suppress(Exception):  # those that end at this moment close all
            workers = list(self.client.sync(self.client.scheduler.ncores_running))
            self.client.run(_close_shards, workers=workers, on_error="ignore")


def _fit(
    cluster: Cluster, method: Estimator, files: list[str], seed: Seed, place: Path, *how: Any
) -> "DistributedMatrix":
    """Fit the shards, or go on: see `fit`. The last arguments are those of `_iterate`."""
    heads, starts = cluster.split(cluster.map(_inspect, files))
    shapes, sums = zip(*cluster.all(heads), strict=True)
    check_shapes(files, shapes)
    (starts,), size = cluster.sum(starts), len(files)
    state = np.random.default_rng(deepcopy(seed)).bit_generator.state
    options = __version__, type(method).__qualname__, repr(method), repr(state)
    folder = place / checksum(*options, *sums)
    folder.mkdir(parents=True, exist_ok=True)
    with _held(folder):
        if (folder / MODEL).exists():
            return load(folder)
        unfinished = folder / "unfinished"
        unfinished.mkdir(exist_ok=True)
        bounds = np.searchsorted(starts, np.arange(size + 1) * starts[-1] // size)
        bounds = np.unique([0, *bounds[1:-1], starts.size - 1])
        rows = list(pairwise(bounds.tolist()))
        counts = cluster.map(_read_rows, rows, files=files, sums=sums)
        totals = cluster.add(cluster.map(Totals.of, counts))
        parts, paths = (counts, [totals] * len(rows)), _parts(folder, len(rows))
        if isinstance(method, LowRank):
            W, fitted = _iterate(cluster, method, parts, rows, seed, unfinished, *how)
            written = cluster.map(_write_factors, *parts, paths, W, method=method, fitted=fitted)
        else:
            written = cluster.map(_write_rows, *parts, paths, method=method)
        checksums, ends = zip(*cluster.all(written), strict=True)
        _write_head(folder, bounds, shapes[0][1], worst_end(ends), checksums)
        shutil.rmtree(unfinished, ignore_errors=True)
        return load(folder)


def _iterate(
    cluster: Cluster,
    method: LowRank,
    parts: tuple[list, list],
    rows: list[tuple[int, int]],
    seed: Seed,
    folder: Path,
    every: int,
    progress: bool,
) -> tuple[list, tuple]:
    """Run EM; return the futures of ``W``, and what `_write_factors` needs besides."""
    whole, m = Totals(*map(np.asarray, cluster.result(parts[1][0]))), method.rank
    problems = cluster.map(_problem_of, *parts)
    W, sums = cluster.split(cluster.map(_begin, problems, parts[0], rows, seed=seed, m=m))
    entropy, logs_of_W, unseen = cluster.sum(sums)
    seen, outcomes = np.flatnonzero(whole.distinct_contexts), whole.column_sums.size
    row = np.array([0, seen.size]), seen, whole.column_sums[seen]
    pooled = Part.of(CountMatrix((1, outcomes), *row), whole)
    H = draw_rows(skip(seed, rows[-1][1] * m), m, outcomes)
    of_unseen = method.penalty * unseen * m * np.log(1 / m)
    penalty = method.penalty * (logs_of_W + np.log(H).sum()) - of_unseen
    problem = Problem.of_counts(pooled)._replace(entropy=entropy)
    start = np.empty((0, m)), np.ascontiguousarray(H[:, seen].T), Smoothing.of(*method.smoothers)
    engine = Passes(problem, *start, method.update == "alternating", penalty)
    objective = engine.begin(cluster, problems, W, folder)
    last, is_kept = method.iterations, method.history or method.tol is not None
    tolerance = (method.tol or 0.0) * (problem.sums.sum() or 1.0)

    def has_settled():
        return len(objective) > 1 and abs(objective[-1] - objective[-2]) < tolerance

    settled = has_settled()
    bar = shown(last, done=engine.done) if progress else nullcontext(int)
    with bar as show:
        while engine.done < last and not settled:
            objective.append(engine.step(is_kept or engine.done in (0, last - 1)))
            settled = has_settled()
            if settled or engine.done == last or engine.done % every == 0:
                engine.save(objective)
            show(engine.done)
    objective.append(engine.objective())
    converged = None if method.tol is None else settled or has_settled()
    method._warn_unless(converged)
    history = (np.array(objective[0 if is_kept else -2 :]) - of_unseen) / (whole.n.item() or 1)
    return engine.parts_of_W, (str(folder / COURSE), history, converged)


class Passes(Expectation):
    """The engine of EM whose rows, and their ``W``, are on the workers.

    ``H`` goes out in a file of its own for each pass, so that a pass can be done again.
    """

    def begin(self, cluster: Cluster, problems: list, W: list, folder: Path) -> list[float]:
        """Take the start, or the last checkpoint; return the objective before each iteration."""
        self.cluster, self.problems, self.parts_of_W, self.folder = cluster, problems, W, folder
        self.done = 0
        if not (folder / COURSE).exists():
            return []
        kept = read_arrays(folder / COURSE)
        self.H[:], self.rest[:] = kept["H"], kept["rest"]
        self.done = int(kept["done"])
        self.parts_of_W = cluster.map(_take, self._files_of_W(), kept["checksums"].tolist())
        return kept["objective"].tolist()

    def visit(self, update_W: bool, wanted: bool = True) -> float:
        """See `Expectation`."""
        file = self.folder / f"{'H' if update_W else 'look'}-{self.done}.npy"
        _keep(self.H, file)
        how = {"smoothing": [*self.smoothing], "update_W": update_W, "wanted": wanted}
        each = self.cluster.map(_pass, self.problems, self.parts_of_W, file=str(file), **how)
        W, sums = self.cluster.split(each)
        del each
        soft_H, likelihood = self.cluster.sum(sums)
        self.soft_H[0] += soft_H
        if update_W:
            self.parts_of_W, self.done = W, self.done + 1
        return likelihood

    def sums_of_logs(self) -> tuple[float, float]:
        """See `Expectation`."""
        (logs_of_W,) = self.cluster.sum(self.cluster.map(_logs_of, self.parts_of_W))
        return logs_of_W, sum_of_logs(self.H)

    def save(self, objective: list[float]) -> None:
        """Write a checkpoint: what was before it is never done again, and its files go."""
        files = self._files_of_W()
        checksums = self.cluster.all(self.cluster.map(_keep, self.parts_of_W, files))
        state = {"H": self.H, "rest": self.rest, "done": self.done, "objective": objective}
        state["checksums"] = checksums
        write_arrays(self.folder / COURSE, {name: np.array(each) for name, each in state.items()})
        self.parts_of_W = self.cluster.map(_take, files, checksums)
        for path in self.folder.glob("[!.]*-*.npy"):
            if int(path.stem.split("-")[1]) < self.done:
                path.unlink(missing_ok=True)

    def _files_of_W(self):
        return [str(self.folder / f"W-{self.done}-{b}.npy") for b in range(len(self.problems))]


# Tasks: Dask may run any of them anywhere, and again.


def _listed(*results: Any) -> list:
    return list(results)


def _add(*results: tuple) -> tuple:
    """Return the sum of results: of neighbours, then of their sums, and so on."""
    while len(results) > 1:
        pairs, odd = zip(results[::2], results[1::2], strict=False), len(results) % 2
        sums = [tuple(a + b for a, b in zip(x, y, strict=True)) for x, y in pairs]
        results = (*sums, *results[len(results) - odd :])
    return results[0]


def _inspect(file: str) -> tuple[tuple, tuple]:
    """Return shape and checksum of a shard, and how many pairs it has before each row."""
    counts, found = _read_shard(file, _stamp(file))
    return (counts.shape, found), (np.array(counts.indptr),)


def _read_rows(rows: tuple[int, int], files: list[str], sums: list[str]) -> CountMatrix:
    """Return the sum of some rows of all shards."""
    opened = [_read_shard(file, _stamp(file)) for file in files]
    for file, (_, found), expected in zip(files, opened, sums, strict=True):
        if found != expected:
            raise ValueError(f"{file}: its counts have changed since the fit began")
    return add_rows([counts for counts, _ in opened], rows)


def _problem_of(counts: CountMatrix, totals: tuple) -> Problem:
    return Problem.of_counts(Part.of(counts, Totals(*map(np.asarray, totals))))


def _begin(
    problem: Problem, counts: CountMatrix, rows: tuple[int, int], seed: Seed, m: int
) -> tuple[np.ndarray, tuple]:
    """Draw the rows of ``W`` as one process does, those of contexts without counts left out.

    Return also `Problem.entropy`, the sum of all logarithms, and how many rows are left out.
    """
    W = draw_rows(skip(seed, rows[0] * m), rows[1] - rows[0], m)
    seen = counts.seen_contexts
    return W[seen], (problem.entropy, float(np.log(W).sum()), len(W) - seen.size)


def _pass(
    problem: Problem, W: np.ndarray, file: str, smoothing: list, update_W: bool, wanted: bool
) -> tuple[np.ndarray, tuple]:
    """Return ``W`` after a pass over a part, with its soft counts of ``H`` and its likelihood."""
    # Arrays from another worker become such as were made here: compiled code has one version.
    own = {}
    for name in ("indptr", "background", "base", "sums"):
        own[name] = np.require(getattr(problem, name), requirements="CAW")
    for name in ("outcomes", "values"):
        own[name] = read_only(np.require(getattr(problem, name), requirements="CA"))
    problem, W = problem._replace(**own), np.array(W, order="C")
    engine = Expectation(problem, W, np.load(file), Smoothing(*smoothing))
    likelihood = engine.visit(update_W, wanted)
    return W, (engine.soft_H[0], likelihood)


def _logs_of(W: np.ndarray) -> tuple[float]:
    return (sum_of_logs(np.array(W, order="C")),)


def _keep(array: np.ndarray, file: str | PathLike[str]) -> str:
    """Write an array to a file, whole or not at all; return its checksum."""
    with replacing(file) as opened:
        np.save(opened, array)
    return checksum(array)


def _take(file: str, expected: str) -> np.ndarray:
    """Return the array of a checkpoint."""
    try:
        found = np.load(file, allow_pickle=False)
    except (EOFError, ValueError):  # it is cut off
        found = None
    if found is None or checksum(found) != expected:
        raise ValueError(f"{file}: not as the fit has written it; remove its folder to begin anew")
    return found


def _write_rows(counts: CountMatrix, totals: tuple, path: str, method: Estimator) -> tuple:
    part = Part.of(counts, Totals(*map(np.asarray, totals)))
    return _write(method.fit_counts(part, 0, False), path)


def _write_factors(
    counts: CountMatrix, totals: tuple, path: str, W: np.ndarray, method: LowRank, fitted: tuple
) -> tuple:
    part, (course, history, converged) = Part.of(counts, Totals(*map(np.asarray, totals))), fitted
    kept = read_arrays(course)
    factors = complete(part, W, kept["H"], kept["rest"])
    return _write(method.matrix_of(part, Factorised(*factors, history, converged)), path)


def _write(matrix: ConditionalMatrix, path: str) -> tuple[str, Ended]:
    """Write the matrix of a part; return its checksum, and how its fit ended."""
    matrix.save(path)
    return _sum_of(matrix), matrix.ended


# Files.


def _stamp(file: str | PathLike[str]) -> tuple[int, int, int]:
    """Return what changes when another file takes the name."""
    found = os.stat(file)
    return found.st_mtime_ns, found.st_size, found.st_ino


@lru_cache(maxsize=2048)  # of one process; a worker closes them after a fit
def _read_shard(file: str, stamp: tuple) -> tuple[CountMatrix, str]:
    """Return the mapped counts of a file, and their checksum."""
    counts = CountMatrix.load(file, mmap=True)
    return counts, checksum(counts.shape, counts.indptr, counts.outcomes, counts.values)


def _close_shards() -> None:
    _read_shard.cache_clear()


@lru_cache(maxsize=64)
def _read_part(file: Path, stamp: tuple) -> tuple[ConditionalMatrix, str]:
    found = load_model(file, mmap=True)
    return found, _sum_of(found)


def _sum_of(matrix: ConditionalMatrix) -> str:
    """Return the checksum of a matrix: of its kind, and its arrays by name."""
    return checksum(matrix.kind, *(x for pair in sorted(matrix.arrays().items()) for x in pair))


def _parts(folder: Path, size: int) -> list[Path]:
    return [folder / f"part-{number}.npz" for number in range(size)]


def _write_head(
    folder: Path, bounds: np.ndarray, columns: int, end: Ended, checksums: Sequence[str]
) -> None:
    """Write the file of a model, after all of its parts."""
    plain = {"columns": columns, "ended": end, "checksums": checksums, "bounds": bounds}
    head = {FORMAT: np.array([KIND, VERSION])}
    write_arrays(folder / MODEL, head | {name: np.array(value) for name, value in plain.items()})


@contextmanager
def _held(folder: Path) -> Iterator[None]:
    """Hold a folder against another fit, which would write the same files; a kill lets it go."""
    try:
        from fcntl import LOCK_EX, LOCK_NB, flock
    except ImportError:  # on Windows both write the same bytes
        yield
        return
    with open(folder / "lock", "w") as file:
        try:
            flock(file, LOCK_EX | LOCK_NB)
        except BlockingIOError:
            raise ValueError(f"{folder}: another fit of the same is under way there") from None
        except OSError:  # a file system without locks
            pass
        yield


@dataclass(frozen=True, eq=False, repr=False)
class DistributedMatrix(ConditionalMatrix):
    """A matrix of which the file of part ``b`` has rows ``bounds[b]..bounds[b + 1] - 1``.

    A part is opened when one of its rows is asked for, and its arrays stay on disk.

    Attributes
    ----------
    folder : pathlib.Path
    bounds : numpy.ndarray of int64, shape (parts + 1,)
    columns : int
        The number of outcomes.
    end : str
        See `ended`.
    checksums : tuple of str
        Of the parts, compared whenever one is opened.
    """

    folder: Path
    bounds: np.ndarray = field(repr=False)
    columns: int
    end: Ended
    checksums: tuple[str, ...] = field(repr=False)

    @property
    def shape(self) -> tuple[int, int]:
        """Numbers of contexts and of outcomes."""
        return int(self.bounds[-1]), self.columns

    @property
    def ended(self) -> Ended:
        """See `ConditionalModel.ended`."""
        return self.end

    @property
    def files(self) -> list[Path]:
        """The files of the parts."""
        return _parts(self.folder, len(self.checksums))

    def part(self, number: int) -> ConditionalMatrix:
        """Return the matrix of a part; a low-rank one has ``W`` of its rows, ``H`` and history.

        Raises ValueError if the file is not the one that the fit has written.
        """
        file = self.files[number]
        matrix, found = _read_part(file, _stamp(file))
        shape = int(self.bounds[number + 1] - self.bounds[number]), self.columns
        if matrix.shape != shape or found != self.checksums[number]:
            raise ValueError(f"{file}: not the part that the fit has written; copy or fit it again")
        return matrix

    def rows(self, contexts: ArrayLike) -> np.ndarray:
        """See `ConditionalModel.rows`."""
        contexts = check_labels(contexts, self.shape[0], "contexts").ravel()
        found = np.empty((contexts.size, self.columns))
        for matrix, these, within in self._by_part(contexts):
            found[these] = matrix.rows(within)
        return found

    def at(self, contexts: ArrayLike, outcomes: ArrayLike) -> np.ndarray:
        """See `ConditionalModel.at`."""

        def at(contexts, outcomes):
            found = np.empty(contexts.size)
            for matrix, these, within in self._by_part(contexts):
                found[these] = matrix.at(within, outcomes[these])
            return found

        return at_pairs(at, self.shape, contexts, outcomes)

    def _by_part(self, contexts: np.ndarray) -> Iterator[tuple]:
        """Yield each part that is asked, the places of its contexts, and their numbers in it."""
        part_of = np.searchsorted(self.bounds, contexts, side="right") - 1
        for number in np.unique(part_of):
            these = np.flatnonzero(part_of == number)
            yield self.part(number), these, contexts[these] - self.bounds[number]

    def save(self, path: str | PathLike[str], **labels: ArrayLike) -> None:
        """Copy the folder: see `distributed.save`. There is no room for labels in it."""
        if labels:
            raise ValueError("labels: a model in parts keeps none; save a Vocabulary beside it")
        save(self, path)

    def arrays(self) -> dict[str, np.ndarray]:
        """Raise ValueError: its rows are in a folder."""
        raise ValueError("a model in parts is no single file: condprob.distributed.save copies it")

    @classmethod
    def from_arrays(cls, arrays: dict[str, np.ndarray]) -> "DistributedMatrix":
        """Raise ValueError: see `load`."""
        raise ValueError("a model in parts is read by condprob.distributed.load")
