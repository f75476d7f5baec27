"""What the checks of the paper's theory share: small random cases, their rows, a gradient."""

from condprob.synthetic import draw_model, sample_counts

# Nats per pair: a gradient, or a step of EM, below this counts as none.
LARGEST_SLOPE_AT_REST = 1e-6
SHAPES = [(6, 2, 40), (20, 3, 300), (40, 5, 500)]  # (k, m, n) of the small random cases
LAWS = {"uniform": None, "power-law": 1.5}  # of the rows of B, with their exponents


def draw_case(rng, k, rank, n, rows="uniform"):
    """Draw a model and ``n`` pairs from it."""
    model = draw_model(k, rank, rows, LAWS[rows], rng)
    return model, sample_counts(model, n, rng)


def slope_along_simplices(factors, gradients, n):
    """Return the largest component of gradients along the simplices of the factors' rows, by ``n``.

    Along a row's simplex the gradient ``g`` of an entry ``w`` counts as ``w (g - sum w g)``.
    """
    return max(
        abs(factor * (g - (factor * g).sum(axis=1, keepdims=True))).max() / n
        for factor, g in zip(factors, gradients, strict=True)
    )
