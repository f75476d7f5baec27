"""Scores of the estimators: KL risk and total variation on models, losses on texts, seconds.

An estimator with a setting to choose (`condprob.models.since.chosen`) has a row for each way of
choosing: by held-out pairs, by the unbiased risk where it has one, and by an oracle. The oracle
knows the risk on the model, or the loss on the test words, of every setting that was fitted.
"""

from functools import partial
from itertools import product
from time import process_time

import numpy as np
from tqdm import tqdm

from condprob.catalogue import compile_functions
from condprob.counts import CountMatrix
from condprob.models.since.chosen import Chosen, best_of
from condprob.risk import kl_risk
from condprob.synthetic import Model, sample_counts
from reproduction.corpora.corpus import read_corpus, word_pairs
from reproduction.scores.estimators import build_variants, has_converged
from reproduction.scores.seeds import spawn_seed
from reproduction.scores.text import in_blocks
from reproduction.scores.trials import draw_models
from reproduction.studies.since.plan import ORACLE, STUDY, UNBIASED
from reproduction.study import ids_of


def score_models(root, inputs, methods, given):
    """Yield the scores of every method on models of one law (`study.Job`).

    The law stands for the text, so that a point of one law is none of the other.
    """
    group, k, law = given["group"], given["k"], given["rows"]
    compile_functions(ids_of(methods))  # so that no compiler is timed
    for rank, n in product(given["rank"], given["n"]):
        drawn = draw_models(root, group, k, rank, given["trials"], law, given.get("exponent"))
        for trial in tqdm(range(given["trials"]), unit="trial", mininterval=1):
            model = Model(*(drawn[part][trial] for part in ("pi", "A", "B")))
            seed = spawn_seed(root, STUDY, group, k, rank, n, trial)
            counts = sample_counts(model, n, seed)
            entropy = drawn["entropy"][trial]
            risk_of = partial(kl_risk, model.pi, (model.A, model.B), conditional_entropy=entropy)
            place = {"corpus": law, "reading": law, "k": k, "rank": rank, "n": n, "trial": trial}
            for name, entry in methods.items():
                for row, matrix, trials in score_fits(name, entry, counts, rank, seed, risk_of):
                    variation = model.pi @ abs(model.P - matrix.dense()).sum(axis=1)
                    bias = find_bias(model, counts, trials)
                    row |= {"kl_risk": risk_of(matrix), "total_variation": variation, "bias": bias}
                    yield place | row


def score_fits(name, entry, counts, rank, seed, loss_of):
    """Yield a row, the matrix and trials of each way of choosing the settings of one method.

    ``loss_of`` takes a matrix and returns its loss, by which the oracle chooses. There are trials
    where the unbiased risk chooses, of all settings.
    """
    ((_, estimator),) = build_variants(entry, rank)
    begin = process_time()
    if not isinstance(estimator, Chosen):
        matrix = estimator.fit(counts, seed)
        yield _row(name, matrix, process_time() - begin), matrix, ()
        return
    trials = list(estimator.trace(counts, seed, unbiased="criterion" in entry))
    seconds = process_time() - begin
    chosen = {name: best_of(trials, "held-out")}
    if "criterion" in entry:
        chosen[name + UNBIASED] = best_of(trials, "unbiased")
    if len(trials) > 1:
        chosen[name + ORACLE] = int(np.argmin([loss_of(trial.matrix) for trial in trials]))
    for choice, place in chosen.items():
        row = _row(choice, trials[place].matrix, seconds) | {"found": trials[place].rank}
        yield row, trials[place].matrix, trials if choice.endswith(UNBIASED) else ()


def find_bias(model, counts, trials):
    """Return the mean of the unbiased risks of all settings less their aims, nats per pair.

    The aim is ``-sum_ij C_i P_ij log Q_ij / n``. None where there are no trials.
    """
    if not trials:
        return None
    weights = counts.row_sums[:, None] * model.P / counts.n
    aims = [-(weights * np.log(trial.matrix.dense())).sum() for trial in trials]
    return float(np.mean([trial.unbiased for trial in trials]) - np.mean(aims))


def _row(name, matrix, seconds):
    return {"method": name, "seconds": seconds, "converged": has_converged(matrix)}


def score_text(root, inputs, methods, given):
    """Yield the losses of every method on one text, by stretches of its test words (`study.Job`).

    READING: the commonest words of the training part stand for themselves and all others for one,
    because a singular value decomposition of all words takes minutes at each step.
    """
    text = read_corpus(inputs["words"], given["corpus"])
    if text is None:  # it could not be had
        return
    compile_functions(ids_of(methods))
    common = np.argsort(-np.bincount(text.train, minlength=text.k), kind="stable")
    number = np.full(text.k, given["words"])
    number[common[: given["words"]]] = np.arange(min(given["words"], text.k))
    train, test = (word_pairs(number[part]) for part in (text.train, text.test))
    counts = CountMatrix.from_pairs(*train, given["words"] + 1)
    place = {"corpus": given["corpus"], "k": counts.k, "n": text.train.size}
    for seed, (name, entry) in product(range(given["seeds"]), methods.items()):
        start = spawn_seed(root, STUDY, given["corpus"], seed)

        def loss_of(matrix):
            return -matrix.log_prob(*test).mean()

        for row, matrix, _ in score_fits(name, entry, counts, given["rank"], start, loss_of):
            for part in in_blocks(-matrix.log_prob(*test)):
                yield place | {"seed": seed} | row | part
