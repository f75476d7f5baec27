"""The public names and their types, for tools that read the library without running it."""

from typing import Any, Literal, overload

from condprob.catalogue import METHODS as METHODS
from condprob.catalogue import register as register
from condprob.counts import CountMatrix as CountMatrix
from condprob.counts import PairsInOrder as PairsInOrder
from condprob.embeddings import Embedding as Embedding
from condprob.embeddings import embed as embed
from condprob.estimator import Estimator as Estimator
from condprob.evaluation import Difference as Difference
from condprob.evaluation import Interval as Interval
from condprob.evaluation import Score as Score
from condprob.evaluation import cross_entropy as cross_entropy
from condprob.evaluation import interval as interval
from condprob.evaluation import perplexity as perplexity
from condprob.evaluation import reliability as reliability
from condprob.files.checkpoints import Checkpoint as Checkpoint
from condprob.labels import fit as fit
from condprob.labels import fit_text as fit_text
from condprob.labels import posterior as posterior
from condprob.labels.comparison import Comparison as Comparison
from condprob.labels.comparison import compare as compare
from condprob.labels.estimate import Estimate as Estimate
from condprob.labels.estimate import UnseenContextWarning as UnseenContextWarning
from condprob.labels.language import LanguageModel as LanguageModel
from condprob.labels.posterior_samples import LabelledPosterior as LabelledPosterior
from condprob.labels.splitting import split_pairs as split_pairs
from condprob.labels.text import Text as Text
from condprob.matrix import ConditionalMatrix as ConditionalMatrix
from condprob.methods.kneser_ney import KneserNey, ModifiedKneserNey
from condprob.methods.linked_matrix import LinkedMatrix as LinkedMatrix
from condprob.methods.low_rank import ConvergenceWarning as ConvergenceWarning
from condprob.methods.low_rank import LowRank
from condprob.methods.pitman_yor.estimator import PitmanYorLowRank
from condprob.methods.pitman_yor.matrix import PitmanYorMatrix as PitmanYorMatrix
from condprob.methods.record import Method as Method
from condprob.methods.structured.log_linear_matrix import LogLinearMatrix as LogLinearMatrix
from condprob.methods.structured.log_linear_model import LogLinearModel as LogLinearModel
from condprob.methods.survey.lsa import LatentSemanticAnalysis
from condprob.methods.survey.neural import NeuralLanguageModel
from condprob.methods.uncertainty import Posterior as Posterior
from condprob.mixtures import MixtureMatrix as MixtureMatrix
from condprob.mixtures import mix as mix
from condprob.model import ConditionalModel as ConditionalModel
from condprob.ratings import Ratings as Ratings
from condprob.ratings import complete as complete
from condprob.reading import load as load
from condprob.risk import kl_risk as kl_risk
from condprob.shards import add_shards as add_shards
from condprob.sparse_plus_low_rank import LowRankMatrix as LowRankMatrix
from condprob.sparse_plus_low_rank import SparsePlusLowRank as SparsePlusLowRank
from condprob.synthetic import Model as Model
from condprob.synthetic import draw_model as draw_model
from condprob.synthetic import sample_counts as sample_counts
from condprob.text import SequenceModel as SequenceModel
from condprob.text.bigram_mixture import BigramMixture as BigramMixture
from condprob.text.histories import HistoryModel as HistoryModel
from condprob.text.sentences import Sentences as Sentences
from condprob.vocabulary import Vocabulary as Vocabulary

__version__: str

# Classes with methods beside those of `Estimator`, or a fit of a type of its own.
@overload
def method(id: Literal["lr", "add-half-lr", "ad-lr"], **options: Any) -> LowRank: ...
@overload
def method(id: Literal["py-lr"], **options: Any) -> PitmanYorLowRank: ...
@overload
def method(id: Literal["kn"], **options: Any) -> KneserNey: ...
@overload
def method(id: Literal["kn-modified"], **options: Any) -> ModifiedKneserNey: ...
@overload
def method(id: Literal["lsa"], **options: Any) -> LatentSemanticAnalysis: ...
@overload
def method(id: Literal["nplm"], **options: Any) -> NeuralLanguageModel: ...
@overload
def method(id: str, **options: Any) -> Estimator: ...
