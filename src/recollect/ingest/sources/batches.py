"""Items in batches for ``Memory.add``."""

from collections.abc import Iterator

from recollect.ingest.sources.source import SourceChat, SourceItem


def batches(
    items: Iterator[SourceItem], *, size: int
) -> Iterator[tuple[SourceChat | None, list[SourceItem]]]:
    """Items that stand together in a conversation, or are facts, at most ``size`` of them.

    Facts between the messages of a conversation come after it: so the messages that say them are known.
    """
    facts: list[SourceItem] = []
    said: list[SourceItem] = []
    for item in items:
        if said and (len(said) >= size or len(facts) >= size or _is_of_another(item, said[-1])):
            yield said[-1].chat, said
            said = []
        if not said and len(facts) >= size:
            yield None, facts
            facts = []
        (facts if item.chat is None else said).append(item)
    if said:
        yield said[-1].chat, said
    if facts:
        yield None, facts


def _is_of_another(item: SourceItem, before: SourceItem) -> bool:
    if item.chat is None or before.chat is None:
        return False
    return (item.format, item.chat.id) != (before.format, before.chat.id)
