"""Server-sent events, from bytes as they come."""

from collections.abc import Iterable, Iterator

__all__ = ["event_data"]


def event_data(chunks: Iterable[bytes]) -> Iterator[str]:
    r"""The data of each event, its lines joined by line breaks; comments and other fields are left out.

    As the HTML standard has it (9.2.6), but for an event that the end of the stream cuts off, which
    is given too: some servers forget the blank line after the last one.

    >>> list(event_data([b": wait\n\ndata: {\"a\"", b": 1}\r\n\r\nevent: end\ndata: [DONE]"]))
    ['{"a": 1}', '[DONE]']
    """
    data: list[bytes] = []
    for line in _lines(chunks):
        if line.startswith(b"data:"):
            data.append(line[5:].removeprefix(b" "))
        elif not line and data:
            yield _text(data)
            data = []
    if data:
        yield _text(data)


def _text(lines: list[bytes]) -> str:
    return b"\n".join(lines).decode(errors="replace")


def _lines(chunks: Iterable[bytes]) -> Iterator[bytes]:
    """Lines without their ends. Only LF and CRLF end one, as with every server known."""
    pending: list[bytes] = []
    for chunk in chunks:
        first, *others = chunk.split(b"\n")
        pending.append(first)
        for other in others:
            yield b"".join(pending).removesuffix(b"\r")
            pending = [other]
    yield b"".join(pending).removesuffix(b"\r")
