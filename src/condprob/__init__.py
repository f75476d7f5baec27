"""Near-optimal smoothing of structured conditional probability matrices.

An estimator maps the counts of ``n`` pairs (context, outcome) to a ``k x k`` matrix of
conditional probabilities. The library holds the estimators compared by Falahatgar,
Ohannessian and Orlitsky (NIPS 2016), their synthetic models, corpora and risks.

Notation, the paper's beside the code's:

=============  ========================  ====================================================
paper          code                      meaning
=============  ========================  ====================================================
``k``          ``k``                     number of contexts, and of outcomes
``m``          ``rank``                  rank of the model: number of latent classes
``n``          ``n``                     number of observed pairs
``C_ij``       ``CountMatrix``           times outcome ``j`` followed context ``i``
``C_i``        ``row_sums``              times context ``i`` was seen
``D_i``        ``distinct_outcomes``     number of distinct outcomes seen after ``i``
``pi``         ``pi``                    distribution of contexts
``P = A B``    ``P``, ``A``, ``B``       the true conditional probabilities and their factors
``Q = W H``    ``ConditionalMatrix``     the estimate and its factors
``alpha``      ``discount``              absolute discount
``T``          ``iterations``            number of EM iterations
=============  ========================  ====================================================

Every logarithm is natural: risks and cross-entropies are in nats.

The modules of this package are the library. Its four subpackages are the reproduction: ``texts``
(corpora), ``study`` (config, scores, tables, figures), ``review`` (claims, verdicts, the page, its
trust) and ``multiverse`` (other readings, new texts). The library needs none of them.
"""

from importlib import import_module

__version__ = "0.1.0"

_HOME = {
    "CountMatrix": "counts",
    "ConditionalMatrix": "matrix",
    "LowRankMatrix": "matrix",
    "method": "methods",
    "METHODS": "methods",
    "cross_entropy": "risk",
    "kl_risk": "risk",
    "perplexity": "risk",
    "Model": "synthetic",
    "draw_model": "synthetic",
    "sample_counts": "synthetic",
}

__all__ = sorted(_HOME)


def __getattr__(name):
    """Import a public name on first use: ``import condprob`` alone loads nothing."""
    if name not in _HOME:
        raise AttributeError(f"module 'condprob' has no attribute {name!r}")
    return getattr(import_module(f"condprob.{_HOME[name]}"), name)


def __dir__():
    return [*globals(), *__all__]
