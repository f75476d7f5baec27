"""The neural model by all words, by importance sampling and by a tree: seconds and held-out loss.

The text is a chain of classes of words (survey, section 5.4). A timed epoch is judged by a hundred
words, so that it is the time of training; the losses are of all held-out words.
"""

from dataclasses import replace
from functools import partial

import numpy as np
from measure import interleave

from condprob.methods.survey.neural import NeuralLanguageModel
from condprob.methods.survey.neural_training import Samples, train
from reproduction.studies.survey.formulas import DRAWN, STEPS, draw_classes

SIZES = (1_000, 4_000, 15_000, 60_000)  # words of the vocabulary
JUDGED = 100  # held-out words after a timed epoch
EPOCHS = 4  # of the losses
PLANS = {
    "all words": {},
    f"{DRAWN} words sampled": {"sampled": DRAWN},
    "a tree": {"decoder": "tree"},
}


def time_neural(results, repetitions, quick):
    """Time an epoch by the size of the vocabulary, and report the loss of several epochs."""
    for size in SIZES[:1] if quick else SIZES:
        texts = draw_classes(np.random.default_rng(size), vocabulary=size)
        samples, held_out = (Samples.of_text(text, 2) for text in texts)
        few = Samples(*(part[:JUDGED] for part in held_out))
        plan = NeuralLanguageModel(10, 10, **STEPS)

        def fit(options, judge, epochs, plan=plan, samples=samples, size=size):
            chosen = replace(plan, epochs=epochs, **options)
            return train(chosen, samples, judge, (size + 1, size), (0, 1)).history.min()

        runs = {name: partial(fit, options, few, 1) for name, options in PLANS.items()}
        problem = f"k = {size}, n = {samples.words.size}"
        seconds = interleave(runs, repetitions)
        results.add_times("neural", problem, seconds, note="an epoch")
        for name in [*PLANS][1:]:
            ratios = np.divide(seconds["all words"], seconds[name])
            results.add("neural", problem, f"all words / {name}", "times", ratios)
        for name, options in PLANS.items():
            loss = fit(options, held_out, EPOCHS)
            results.add("neural", problem, f"loss of {name}", "nats", [loss], f"{EPOCHS} epochs")
