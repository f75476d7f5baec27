"""One EM iteration, by the library and by others: each kernel starts where the others start.

A kernel is built from a `problems.Problem` and a method, "ad-lr" or "lr" (which only normalises:
PLSA). ``iterate(t)`` runs ``t`` iterations; ``factors()`` returns ``W`` and transposed ``H``.
"""

import ctypes
import warnings

import numpy as np
from compiled import Unavailable, in_lines, library, pointer

from condprob.methods.em import Problem
from condprob.methods.em.engines import Expectation
from condprob.methods.smoothing import AbsoluteDiscount, AddConstant, Smoothing

CONSTANT, DISCOUNT = 0.5, 0.75
DENSE_LIMIT = 1e9  # bytes of the k x k arrays that the dense kernel may hold


class Library:
    """The engine of the library, alone or on several threads."""

    def __init__(self, problem, method="ad-lr", threads=1):
        given, (W, H) = Problem.of_counts(problem.counts), problem.start()
        H = np.ascontiguousarray(H)
        smooth_W, smooth_H = {
            "ad-lr": (AddConstant(CONSTANT), AbsoluteDiscount(DISCOUNT)),
            "lr": (AddConstant(0.0), AddConstant(0.0)),
        }[method]
        smoothing = Smoothing.of(smooth_W, smooth_H)
        self.engine = Expectation(given, W, H, smoothing, threads=threads)

    def iterate(self, iterations):
        for _ in range(iterations):
            self.engine.step(wanted=False)

    def factors(self):
        return self.engine.W, self.engine.H


class WrittenInC:
    """The same by hand, its vectors written out, compiled for this rank and processor: ``em.c``.

    Where memory lies moves ratios by up to two, so it runs on the arrays of a `Library`, if there
    is one: both go on from the factors that the other left.
    """

    def __init__(self, problem, method="ad-lr", library_kernel=None):
        if method != "ad-lr":
            raise Unavailable(f"em.c does not know {method}")
        self.function = library("em", M=problem.rank).iterate
        rows = Problem.of_counts(problem.counts)
        if library_kernel:
            engine = library_kernel.engine
            (W, H), soft_H = engine.lines, engine.soft_H[0]
            self.W, self.H = engine.W, engine.H
        else:
            (W, self.W), (H, self.H) = (in_lines(factor) for factor in problem.start())
            soft_H, _ = in_lines(np.zeros(self.H.shape))
        arrays = (
            rows.indptr,
            rows.outcomes.astype(np.uint32),
            rows.values.astype(float),
            rows.sums,
        )
        sizes = (len(self.W), len(self.H), problem.counts.k)
        self.kept = arrays, soft_H  # alive as long as their addresses are
        self.fixed = (
            *map(ctypes.c_int64, sizes),
            *map(pointer, arrays),
            ctypes.c_double(CONSTANT),
            ctypes.c_double(DISCOUNT),
            *map(pointer, (W, H, soft_H)),
        )

    def iterate(self, iterations):
        self.function(ctypes.c_int64(iterations), *self.fixed)

    def factors(self):
        return self.W, self.H


class Triad:
    """``x = y + scale z``: the bytes of a pass, 24 for each pair and class, in the same cache.

    The arrays together are as large as ``H`` and its soft counts, and are passed over in order, so
    often that as many entries are computed as a pass has pairs times classes, or a few more.
    """

    def __init__(self, problem, method="ad-lr"):
        self.function = library("em", M=problem.rank).triad
        stored, _ = in_lines(problem.start()[1])
        size = max(2 * stored.size // 3, 1)
        self.kept = [in_lines(np.full((1, size), float(n))) for n in range(3)]
        wanted = problem.counts.nnz * problem.rank
        self.times = max(round(wanted / size), 1)
        self.share = self.times * size / wanted  # of these entries to those of a pass
        arrays = (pointer(whole) for whole, _ in self.kept)
        self.fixed = ctypes.c_int64(size), ctypes.c_double(0.5), *arrays

    def iterate(self, iterations):
        self.function(ctypes.c_int64(iterations * self.times), *self.fixed)


class NumpyKernel:
    """Smoothing by the library's vector smoothers, shared by the kernels in numpy."""

    def __init__(self, problem, method="ad-lr"):
        self.W, H = problem.start()
        self.H = np.ascontiguousarray(H.T)
        self.unseen = problem.counts.k - len(H)
        self.smooth_W = AddConstant(CONSTANT if method == "ad-lr" else 0.0)
        self.smooth_H = AbsoluteDiscount(DISCOUNT) if method == "ad-lr" else AddConstant(0.0)
        self.counts = problem.counts.sparse()[problem.counts.seen_contexts]
        self.counts = self.counts[:, problem.counts.seen_outcomes]

    def iterate(self, iterations):
        for _ in range(iterations):
            soft_W, soft_H = self.soft_counts()
            whole = np.pad(soft_H, ((0, 0), (0, self.unseen)))  # outcomes never seen count, too
            self.W, self.H = self.smooth_W(soft_W), self.smooth_H(whole)[:, : soft_H.shape[1]]

    def factors(self):
        return self.W, self.H.T


class Scipy(NumpyKernel):
    """Numpy and scipy.sparse, straightforward."""

    def soft_counts(self):
        C = self.counts
        rows = np.repeat(np.arange(C.shape[0]), np.diff(C.indptr))
        ratio = C.copy()
        ratio.data = C.data / np.einsum("pl,lp->p", self.W[rows], self.H[:, C.indices])
        return self.W * (ratio @ self.H.T), self.H * (ratio.T @ self.W).T


class Dense(NumpyKernel):
    """Numpy on whole arrays, as the formula stands."""

    def __init__(self, problem, method="ad-lr"):
        super().__init__(problem, method)
        bytes_needed = 3 * 8 * problem.counts.k**2
        if bytes_needed > DENSE_LIMIT:
            raise Unavailable(f"three k x k arrays take {bytes_needed / 1e9:.0f} GB")
        C = problem.counts
        self.C = C.dense().astype(float)
        self.W, self.H = np.zeros((C.k, problem.rank)), np.zeros((problem.rank, C.k))
        start_W, start_H = problem.start()
        self.W[:] = 1 / problem.rank
        self.W[C.seen_contexts], self.H[:, C.seen_outcomes] = start_W, start_H.T
        self.seen = C.seen_contexts, C.seen_outcomes

    def iterate(self, iterations):
        for _ in range(iterations):
            product = self.W @ self.H
            ratio = np.divide(self.C, product, out=np.zeros_like(product), where=self.C > 0)
            soft_W = self.W * (ratio @ self.H.T)
            soft_H = self.H * (self.W.T @ ratio)
            self.W, self.H = self.smooth_W(soft_W), self.smooth_H(soft_H)

    def factors(self):
        return self.W[self.seen[0]], self.H[:, self.seen[1]].T


class Enstop:
    """The steps of PLSA of the package enstop, in single precision, on one thread."""

    def __init__(self, problem, method="lr"):
        if method != "lr":
            raise Unavailable(f"enstop does not know {method}")
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                from enstop import plsa
        except ImportError as error:
            raise Unavailable(f"enstop cannot be imported: {error}") from error
        self.steps = plsa.plsa_e_step, plsa.plsa_m_step
        kernel = Scipy(problem, method)
        C = kernel.counts.tocoo()
        self.X = [C.row.astype(np.int32), C.col.astype(np.int32), C.data.astype(np.float32)]
        self.H = np.ascontiguousarray(kernel.H, dtype=np.float32)
        self.W = np.ascontiguousarray(kernel.W, dtype=np.float32)
        self.posterior = np.zeros((C.nnz, problem.rank), np.float32)
        self.norms = np.zeros(problem.rank, np.float32), np.zeros(len(self.W), np.float32)

    def iterate(self, iterations):
        import numba

        threads = numba.get_num_threads()
        numba.set_num_threads(1)
        expect, maximise = self.steps
        for _ in range(iterations):
            expect(*self.X, self.H, self.W, self.posterior, np.float32(1e-32))
            maximise(*self.X, self.H, self.W, self.posterior, *self.norms)
        numba.set_num_threads(threads)

    def factors(self):
        return self.W, self.H.T


class ScikitLearn:
    """`sklearn.decomposition.non_negative_factorization`, multiplicative updates, KL loss.

    The same fixed points and another course: it updates W first, and has no rows that sum to one.
    """

    def __init__(self, problem, method="lr"):
        if method != "lr":
            raise Unavailable(f"scikit-learn does not know {method}")
        kernel = Scipy(problem, method)
        self.X, self.W, self.H = kernel.counts, kernel.W, kernel.H

    def iterate(self, iterations):
        from sklearn.decomposition import non_negative_factorization

        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # that it has not converged
            self.W, self.H, _ = non_negative_factorization(
                self.X,
                W=self.W.copy(),
                H=self.H.copy(),
                n_components=len(self.H),
                init="custom",
                solver="mu",
                beta_loss="kullback-leibler",
                tol=0,
                max_iter=iterations,
            )

    def factors(self):
        return self.W, self.H.T
