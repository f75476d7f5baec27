"""Near-optimal smoothing of structured conditional probability matrices.

An estimator maps the counts of ``n`` pairs (context, outcome) to a matrix of conditional
probabilities, contexts by outcomes. The library holds the estimators compared by Falahatgar,
Ohannessian and Orlitsky (NIPS 2016), their synthetic models and their risks.

Notation, the paper's beside the code's:

| paper | code | meaning |
| --- | --- | --- |
| `k` | `shape` | numbers of contexts and of outcomes, which the paper has equal |
| `m` | `rank` | rank of the model: number of latent classes |
| `n` | `n` | number of observed pairs |
| `C_ij` | `CountMatrix` | times outcome `j` followed context `i` |
| `C_i` | `row_sums` | times context `i` was seen |
| `D_i` | `distinct_outcomes` | number of distinct outcomes seen after `i` |
| `pi` | `pi` | distribution of contexts |
| `P = A B` | `P`, `A`, `B` | the true conditional probabilities and their factors |
| `Q = W H` | `ConditionalMatrix` | the estimate and its factors |
| `alpha` | `discount` | absolute discount |
| `T` | `iterations` | number of EM iterations |

`loglinear` has log-linear models with structured penalties (Nelakanti et al., EMNLP 2013), whose
notation is told there.

Every logarithm is natural: risks and cross-entropies are in nats.
"""

from condprob.interrupts import end_on_signals, is_command

# What is imported below takes a second, in which the command may be interrupted as well.
if is_command():
    end_on_signals()

from condprob.counts import CountMatrix
from condprob.em.checkpoints import Checkpoint
from condprob.estimators.base import Estimator
from condprob.estimators.growth import fit_grown
from condprob.estimators.histories import fit_histories
from condprob.estimators.low_rank import ConvergenceWarning
from condprob.estimators.ngrams import fit_kneser_ney
from condprob.estimators.registry import METHODS, Method, method
from condprob.matrices.around_base import PitmanYorMatrix
from condprob.matrices.contract import ConditionalMatrix
from condprob.matrices.log_linear import LogLinearMatrix
from condprob.matrices.mixture import MixtureMatrix
from condprob.matrices.posterior import PosteriorMatrix
from condprob.matrices.sparse_plus_low_rank import LowRankMatrix, SparsePlusLowRank
from condprob.model import ConditionalModel, load
from condprob.risk import cross_entropy, kl_risk, perplexity
from condprob.sequences.grown import GrownModel
from condprob.sequences.histories import HistoryModel
from condprob.sequences.log_linear import LogLinearModel
from condprob.sequences.model import SequenceModel
from condprob.sequences.sentences import Sentences
from condprob.shards import add_shards
from condprob.synthetic import Model, draw_model, sample_counts
from condprob.vocabulary import Vocabulary

__version__ = "0.1.0"

__all__ = [
    "METHODS",
    "Checkpoint",
    "ConditionalMatrix",
    "ConditionalModel",
    "ConvergenceWarning",
    "CountMatrix",
    "Estimator",
    "GrownModel",
    "HistoryModel",
    "LogLinearMatrix",
    "LogLinearModel",
    "LowRankMatrix",
    "Method",
    "MixtureMatrix",
    "Model",
    "PitmanYorMatrix",
    "PosteriorMatrix",
    "Sentences",
    "SequenceModel",
    "SparsePlusLowRank",
    "Vocabulary",
    "add_shards",
    "cross_entropy",
    "draw_model",
    "fit_grown",
    "fit_histories",
    "fit_kneser_ney",
    "kl_risk",
    "load",
    "method",
    "perplexity",
    "sample_counts",
]
