"""One fit to counts in many files, on the workers of a Dask cluster.

The rows of all shards together are cut into parts, as many as there are shards, with about the same
number of pairs. Dask holds the parts and their rows of ``W`` as results of tasks, and does again
what a lost worker had. No task changes what another has made. Of EM the workers do a pass over each
part and the sum of its soft counts, along a tree that only the shards determine. So the numbers
are the same bits whatever the workers are.

While a fit is unfinished, its last checkpoint and the rows of each part are in a folder that the
checksum of counts, method, options and seed names. In the end this process joins the rows into one
file, as `save` of a model writes it, whole or not at all. The file has that checksum, too.
"""

import shutil
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from copy import deepcopy
from dataclasses import replace
from functools import partial
from operator import itemgetter
from os import PathLike
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from condprob import __version__
from condprob.checks import Seed, check_integer, in_brief
from condprob.counts import CountMatrix
from condprob.estimator import Estimator
from condprob.files import settle
from condprob.files.arrays import Pieces, read_arrays, read_stored, write_arrays
from condprob.files.checkpoints import Checkpoint, Keeper, checksum
from condprob.methods.direct import AbsoluteDiscounting, AddHalf
from condprob.methods.em import Fit, Problem, iterate
from condprob.methods.em.engines import Expectation, split_by_pairs
from condprob.methods.em.starts import draw_rows, skip
from condprob.methods.kneser_ney import KneserNey, StupidBackoff
from condprob.methods.low_rank import LowRank, complete_factors
from condprob.methods.smoothing import Smoothing
from condprob.methods.vectors import empty_lines, in_lines
from condprob.run import Run
from condprob.shards import PartOfCounts, Shard, Shards, Totals, add_rows, check_shapes
from condprob.sparse_plus_low_rank import SparsePlusLowRank

__all__ = ["fit"]
UNFINISHED, STATE = ".unfinished", "state"  # how a folder's name ends, and a file in it
OF_FIT = "fit"  # the text of a file that says of which fit it is
BY_ROWS = "left", "W", "outcomes", "values"  # arrays that parts have one below the other
SHIFTED = "indptr", "seen_contexts"  # and with other numbers: of entries, and of contexts
DIRECT = AddHalf, AbsoluteDiscounting, StupidBackoff, KneserNey  # a fit to a part is its rows
SUMMANDS_OF_TASK = 8  # results that a task adds up
SECONDS_BETWEEN_LOOKS = 20.0  # seconds between two looks at the cluster while a result is awaited
LONGEST_IDLE = 100.0  # seconds that no worker has a task, after which a fit does not wait any more
# Dask gives a task up whose worker was killed four times. So often a fit goes on by itself.
MOST_ATTEMPTS = 5
AGAIN = "the same call goes on where this one was"


def fit(
    method: Estimator,
    shards: Shards,
    client: Any,
    seed: Seed = 0,
    *,
    path: str | PathLike[str] | None = None,
    every: int = 50,
    progress: bool | None = None,
) -> SparsePlusLowRank:
    """Fit the sum of counts in files on the workers of a Dask client.

    The random start is that of a fit in one process, and one shard gives the bits of
    ``method.fit(counts, seed)``. More shards change the order of sums, and so the last bit of each.
    AD-LR amplifies it on small counts, to 0.001 to 0.03 in a probability after 200 iterations;
    other methods do not.

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
    path : str or path, optional
        The file to write; by default a name of its own in the folder ``fits`` next to the first
        shard. The same call goes on where a fit was interrupted. If the fit was finished, it reads
        the file; if that is damaged or lost, the fit is done again.
    every : int
        Iterations between two checkpoints: at most so many are done again after a stop.
    progress : bool, optional
        Whether standard error shows how far the fit is; by default at a terminal or in a
        notebook, once it has taken three seconds.

    Returns
    -------
    LowRankMatrix or SparsePlusLowRank
        That of the file, mapped: `condprob.load` reads it as any other.

    Raises
    ------
    ValueError
        If the method needs all pairs in one process, the shards do not go together or have changed
        since the fit began, the file is there and of another fit, another process does the same
        fit, or the client is none that runs.
    OSError
        If a file cannot be read or written.
    RuntimeError
        If no worker has a task for 100 seconds, or a task loses its workers again and again.
    """
    run = Run.of(seed, progress)
    _check_by_rows(method)
    if not isinstance(shards, list | tuple) or not shards:
        raise ValueError("shards: pass a list of files of counts, as for add_shards")
    files = tuple(str(Path(shard).absolute()) for shard in shards)
    target = None if path is None else settle(path, files)
    call = Call(method, files, run, target, check_integer("every", every, 1))
    for _ in range(MOST_ATTEMPTS):
        workers = Workers(client)
        with suppress(*workers.losses):
            return _fit(workers, call)
    raise RuntimeError(f"client: its workers were lost {MOST_ATTEMPTS} times; {AGAIN}")


def _check_by_rows(method: Estimator) -> None:
    """Raise ValueError unless a row follows from its own counts and from sums over all rows."""
    if not isinstance(method, Estimator):
        problem = f"method = {in_brief(method)}: must be an estimator"
        raise ValueError(f"{problem}, such as method('ad-lr')")
    has_passes = isinstance(method, LowRank) and type(method).fit_factors is LowRank.fit_factors
    if not has_passes and type(method).fit_counts not in [each.fit_counts for each in DIRECT]:
        raise ValueError(f"{type(method).__name__} needs all pairs in one process")
    for name, value in vars(method).items():
        if isinstance(value, str) and value == "learned":
            raise ValueError(f"{name} = 'learned': a distributed fit needs a number")
    if has_passes and (method.initial != "random" or not method.iterations):
        raise ValueError("a distributed fit needs initial = 'random', and iterations >= 1")
    if getattr(method, "temperature", 1) != 1:
        raise ValueError("a distributed fit adds up soft counts of EM, which these are not")


class Workers:
    """The workers of a client: tasks over parts, and the sum of their results."""

    def __init__(self, client: Any) -> None:
        if getattr(client, "status", None) != "running" or client.asynchronous:
            wanted = "must be a dask.distributed.Client that runs, and is not asynchronous"
            raise ValueError(f"client = {in_brief(client)}: {wanted}")
        from dask.distributed import CancelledError, KilledWorker

        self.client, self.losses = client, (CancelledError, KilledWorker)
        self.map, self.submit = (partial(x, pure=False) for x in (client.map, client.submit))

    def split(self, futures: list, size: int = 2) -> list[list]:
        """Return the futures of the first of tuples, of the second, ..."""
        return [self.map(itemgetter(place), futures) for place in range(size)]

    def sum(self, futures: list) -> Any:
        """Return the future of the sum of tuples."""
        while len(futures) > 1:
            groups = range(0, len(futures), SUMMANDS_OF_TASK)
            futures = [self.submit(_add, *futures[i : i + SUMMANDS_OF_TASK]) for i in groups]
        return futures[0]

    def result(self, of: Any) -> Any:
        """Return the result of a future, or of each of a list; RuntimeError if none come."""
        future, idle = self.submit(list, of) if isinstance(of, list) else of, 0.0
        while idle < LONGEST_IDLE:
            try:
                return future.result(SECONDS_BETWEEN_LOOKS)
            except TimeoutError:  # workers come back: the tasks of each are looked at
                idle = (
                    0.0 if any(self.client.processing().values()) else idle + SECONDS_BETWEEN_LOOKS
                )
        raise RuntimeError(f"client: no worker had a task for {LONGEST_IDLE:g} seconds; {AGAIN}")


class Call(NamedTuple):
    """What `fit` was called with."""

    method: Estimator
    files: tuple[str, ...]
    run: Run
    path: Path | None
    every: int


def _fit(workers: Workers, call: Call) -> SparsePlusLowRank:
    """Fit the shards, or go on: see `fit`."""
    from locket import LockError, lock_file  # the locks that Dask has for its own folders

    heads, starts = workers.split(workers.map(_inspect, call.files))
    shards = workers.result(heads)
    check_shapes(call.files, [shard.shape for shard in shards])
    (starts,) = workers.result(workers.sum(starts))
    rows = [(first, last) for first, last in split_by_pairs(starts, len(shards)) if first < last]
    state = np.random.default_rng(deepcopy(call.run.seed)).bit_generator.state
    options = __version__, type(call.method).__qualname__, repr(call.method), repr(state)
    identity = checksum(*options, *(shard.checksum for shard in shards))
    path = call.path or Path(call.files[0]).with_name("fits") / f"{identity}.safetensors"
    folder = path.with_name(identity + UNFINISHED)
    folder.mkdir(parents=True, exist_ok=True)
    with ExitStack() as stack:
        try:
            with suppress(OSError):  # a file system without locks
                stack.enter_context(lock_file(str(folder / "lock"), timeout=0))
        except LockError:
            raise ValueError(f"{folder}: another fit of the same is under way there") from None
        if not _is_finished(path, identity):
            # What the first reading found goes out once, and is not read again after a loss.
            found = workers.submit(partial(tuple, shards))
            counts = workers.map(_read_rows, rows, [found] * len(rows))
            files = _write_parts(workers, call, folder, rows, counts)
            _join(path, files, rows, identity)
        shutil.rmtree(folder, ignore_errors=True)
    return read_stored(path, SparsePlusLowRank, mmap=True)


def _is_finished(path: Path, identity: str) -> bool:
    """Whether a file has the model of this fit, undamaged.

    A file in the place of a fit that is damaged is written again. Any other one that is there
    raises ValueError: it is the user's.
    """
    if not path.exists():
        return False
    try:
        found = str(read_arrays(path, mmap=True, checked=True).get(OF_FIT))
    except ValueError:
        found = "damaged"
    if found != identity and path.stem != identity:
        mend = "remove it, or name another path"
        raise ValueError(f"{path}: not the model of this fit, or damaged; {mend}")
    return found == identity


def _write_parts(
    workers: Workers, call: Call, folder: Path, rows: list[tuple[int, int]], counts: list
) -> list[Path]:
    """Fit parts, and write their matrices to the files that are returned."""
    totals, method = workers.sum(workers.map(Totals.of, counts)), call.method
    parts = workers.map(PartOfCounts.of, counts, [totals] * len(rows))
    files = [folder / f"part-{number}" for number in range(len(rows))]
    if not isinstance(method, LowRank):
        workers.result(workers.map(_write, parts, files, method=method))
        return files
    whole = Totals(*workers.result(totals))
    engine = Passes(workers, call, folder, rows, parts, whole.column_sums)
    run = replace(call.run, checkpoint=Checkpoint(folder / STATE))
    keeper = partial(KeeperOfParts, engine, call.every)
    fitted = iterate(engine, run, method.iterations, method.tol, method.history, keeper)
    method.warn_unless(fitted.converged)
    history = (fitted.objective - engine.of_unseen) / (whole.n.item() or 1)
    how = {"method": method, "H": engine.file_of_H, "fitted": fitted._replace(objective=history)}
    workers.result(workers.map(_write, parts, files, engine.parts_of_W, **how))
    return files


def _join(path: Path, files: list[Path], rows: list[tuple[int, int]], identity: str) -> None:
    """Write the matrix whose rows are those of the files of parts, one of which is in memory.

    Raises ValueError if a part is damaged or none of this fit.
    """
    first = read_arrays(files[0])
    own = [name for name in (*BY_ROWS, *SHIFTED) if name in first]
    shapes: dict[str, list[tuple]] = {name: [] for name in own}
    types: dict[str, np.dtype] = {name: first[name].dtype for name in own}
    for file, (start, stop) in zip(files, rows, strict=True):
        found = read_arrays(file, mmap=True, checked=True)
        is_own = found.keys() == first.keys() and all(
            np.array_equal(found[name], first[name]) for name in first.keys() - own
        )
        if not is_own or len(found["W" if "W" in own else "left"]) != stop - start:
            raise ValueError(f"{file}: not a part of this fit; {AGAIN}")
        for name in own:
            shapes[name].append(found[name].shape)
            types[name] = np.result_type(types[name], found[name])
    entries = np.cumsum([0, *(shape[0] for shape in shapes.get("values", []))])
    shifts = {"indptr": entries, "seen_contexts": [start for start, _ in rows]}

    def pieces(name: str) -> Iterator[np.ndarray]:
        for number, file in enumerate(files):
            found = read_arrays(file, mmap=True)[name]
            if name in SHIFTED:
                found = found + shifts[name][number]
            yield found[1:] if name == "indptr" and number else found

    joined = dict(first)
    for name in own:
        lines = sum(shape[0] for shape in shapes[name]) - (name == "indptr") * (len(files) - 1)
        joined[name] = Pieces(types[name], (lines, *shapes[name][0][1:]), pieces(name))
    write_arrays(path, joined | {OF_FIT: np.array(identity)})


class Passes(Expectation):
    """The engine of EM whose rows, and their ``W``, are on the workers; ``sums`` are of columns.

    ``H`` goes out in a file of its own for each iteration, so that a pass can be done again.
    """

    def __init__(
        self, workers: Workers, call: Call, folder: Path, rows: list, parts: list, sums: np.ndarray
    ) -> None:
        self.workers, self.folder, self.done = workers, folder, 0
        method, seed, m = call.method, call.run.seed, call.method.rank
        begun = workers.split(workers.map(_begin_part, parts, rows, seed=seed, m=m), 3)
        self.problems, self.parts_of_W, of_parts = begun
        entropy, logs_of_W, unseen = workers.result(workers.sum(of_parts))
        pooled = CountMatrix.from_dense(sums[None])
        problem = Problem.of_counts(pooled)._replace(entropy=entropy)
        H = draw_rows(skip(seed, rows[-1][1] * m), m, sums.size)
        self.of_unseen = method.penalty * unseen * m * np.log(1 / m)
        penalty = method.penalty * (logs_of_W + np.log(H).sum()) - self.of_unseen
        start = np.empty((0, m)), np.ascontiguousarray(H[:, pooled.seen_outcomes].T)
        how = Smoothing.of(*method.smoothers), method.update == "alternating", penalty
        super().__init__(problem, *start, *how)

    def step(self, wanted: bool = True) -> float:
        objective = super().step(wanted)
        self.done += 1
        return objective

    def steps(self, most: int) -> int:
        self.step(False)
        return 1

    def visit_all(self, update_W: bool, wanted: bool) -> float:
        write_arrays(self.file_of_H, {"H": self.H})
        how = {"smoothing": self.smoothing, "update_W": update_W, "wanted": wanted}
        of_parts = self.problems, self.parts_of_W
        W, sums = self.workers.split(self.workers.map(_pass, *of_parts, H=self.file_of_H, **how))
        soft_H, likelihood = self.workers.result(self.workers.sum(sums))
        self.soft_H[0] += soft_H
        self.parts_of_W = W if update_W else self.parts_of_W
        return likelihood

    def sums_of_logs(self) -> tuple[float, float]:
        logs_of_W = self.workers.sum(self.workers.map(_logs_of, self.parts_of_W, m=self.rest.size))
        return self.workers.result(logs_of_W)[0], float(np.log(self.H).sum())

    @property
    def file_of_H(self) -> str:
        """The file of ``H`` as it is."""
        return str(self.folder / f"H-{self.done}")

    def write_rows(self) -> None:
        """Write the ``W`` of each part to a file."""
        arrays = [{"lines": W} for W in self.parts_of_W]
        self.workers.result(self.workers.map(write_arrays, self._files_of_W(), arrays))

    def read_rows(self, done: int) -> None:
        """Take the ``W`` of files: what was before is never done again, and its files go."""
        self.done = done
        arrays = self.workers.map(read_arrays, self._files_of_W())
        self.parts_of_W = self.workers.map(itemgetter("lines"), arrays)
        for path in self.folder.glob("[HW]-*"):
            if int(path.name.split("-")[1]) < done:
                path.unlink()

    def _files_of_W(self) -> list[str]:
        W = self.folder / f"W-{self.done}"
        return [f"{W}-{part}" for part in range(len(self.parts_of_W))]


class KeeperOfParts(Keeper):
    """A checkpoint every few iterations, with files of the rows that are on the workers."""

    def __init__(self, engine: Passes, every: int, *fit: Any) -> None:
        super().__init__(*fit)
        self.engine, self.every = engine, every

    def restore(self) -> int:
        done = super().restore()
        if done:
            self.engine.read_rows(done)
        return done

    def save(self, done: int, is_last: bool = False) -> None:
        if done and done % self.every == 0:
            self.engine.write_rows()
            super().save(done, is_last=True)
            self.engine.read_rows(done)


# Tasks: Dask may run any of them anywhere, and again.


def _add(*results: tuple) -> tuple:
    """Return the sum of tuples of arrays and numbers, one after the other."""
    return tuple(sum(each[1:], each[0]) for each in zip(*results, strict=True))


def _inspect(file: str) -> tuple[Shard, tuple]:
    """Return a shard with its checksum, and how many pairs it has before each row."""
    shard = Shard.of(file, with_checksum=True)
    return shard, (shard.starts(0, shard.shape[0]),)


def _read_rows(rows: tuple[int, int], shards: tuple[Shard, ...]) -> CountMatrix:
    """Return the sum of the rows ``start..stop-1`` of the shards."""
    return add_rows(shards, rows)


def _begin_part(part: PartOfCounts, rows: tuple[int, int], seed: Seed, m: int) -> tuple:
    """Return the problem of a part, its first ``W``, and what its objective is made of."""
    problem = Problem.of_counts(part)
    W, seen = draw_rows(skip(seed, rows[0] * m), rows[1] - rows[0], m), part.seen_contexts
    of_part = problem.entropy, float(np.log(W).sum()), len(W) - seen.size
    return problem, in_lines(W[seen]), of_part


def _pass(
    problem: Problem, W: np.ndarray, H: str, smoothing: Smoothing, update_W: bool, wanted: bool
) -> tuple[np.ndarray, tuple]:
    """Return another ``W``, in lines, after a pass; the soft counts of ``H``; the likelihood."""
    rows = read_arrays(H)["H"]
    engine = Expectation(problem, rows[:0], rows, smoothing)
    W = np.require(W, requirements="CW")  # what came from another worker may be read-only
    engine.lines = W, engine.lines[1]
    new_W = empty_lines(len(W), rows.shape[1]) if update_W else W
    likelihood = engine.visit_rows((0, len(W)), 0, update_W, wanted, new_W)
    return new_W, (engine.soft_H[0], likelihood)


def _logs_of(W: np.ndarray, m: int) -> tuple[float]:
    return (float(np.log(W[:, :m]).sum()),)


def _write(
    part: PartOfCounts,
    path: Path,
    W: Any = None,
    *,
    method: Any,
    H: str = "",
    fitted: Fit | None = None,
) -> None:
    """Write the matrix of a part."""
    if fitted is None:
        matrix = method.fit_counts(part, Run())
    else:
        factors = complete_factors(part, W[:, : fitted.rest.size], read_arrays(H)["H"], fitted.rest)
        matrix = method.matrix_of(part, *factors, fitted)
    matrix.save(path)
