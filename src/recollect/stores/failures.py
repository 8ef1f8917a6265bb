"""Errors of a store's client said as those of Recollect: each store brings the table of what means what."""

from recollect.errors import RecollectError

Meaning = tuple[type[RecollectError], str]
"""A class of ours, and what to say."""


def explained(error: Exception, meaning: Meaning, **known: object) -> RecollectError:
    """The error of Recollect for one of a client.

    Args:
        error: What was raised; ``{said}`` in the text is the first line of it.
        meaning: What it means.
        known: What else the text names.

    >>> explained(ValueError("odd"), (RecollectError, "{name}: {said}"), name="the store")
    RecollectError('the store: odd')
    """
    kind, text = meaning
    said = (str(error).strip().splitlines() or [type(error).__name__])[0]
    return kind(text.format(said=said, **known))
