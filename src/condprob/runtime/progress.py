"""A fit in chunks, between which it can be interrupted and shows how far it is."""

from collections.abc import Iterator


def chunks(
    total: int, steps: int, progress: bool, unit: str = "iteration", done: int = 0
) -> Iterator[tuple[int, int]]:
    """Yield (start, stop) of every chunk of so many steps; show a bar of iterations on request.

    The bar calls an iteration by its ``unit``; so many are ``done`` already. Raises ImportError if
    it is wanted and tqdm is not installed.
    """
    found = ((t, min(t + steps, total)) for t in range(done, total, steps))
    if not progress:
        yield from found
        return
    try:
        from tqdm import tqdm
    except ImportError as error:
        message = "progress=True needs tqdm: pip install 'condprob[progress]'"
        raise ImportError(message) from error
    with tqdm(total=total, unit=unit, initial=done) as bar:
        for start, stop in found:
            yield start, stop
            bar.update(stop - start)
