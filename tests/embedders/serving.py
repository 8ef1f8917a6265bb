"""What the local server of ``tests.models.server`` does when it is asked for vectors."""

from tests.models.server import fails

TOO_LONG = "This model's maximum context length is 8192 tokens; please reduce your prompt."


def vector_of(text, dim=3):
    return [float(len(text)), 1.0, *([0.0] * (dim - 2))]


def embeddings(texts, *, dim=3, tokens=7):
    """A good answer, as Python objects."""
    body = {
        "object": "list",
        "model": "m",
        "data": [
            {"object": "embedding", "index": place, "embedding": vector_of(text, dim)}
            for place, text in enumerate(texts)
        ],
    }
    return body | ({"usage": {"prompt_tokens": tokens, "total_tokens": tokens}} if tokens is not None else {})


def embeds(change=lambda body: None, **settings):
    """Answers well, or in another way when something is changed in the answer."""

    def behave(exchange, request):
        body = embeddings(request["input"], **settings)
        change(body)
        exchange.send_json(body)

    return behave


def shortens(exchange, request):
    """Answers as OpenAI does: 1,536 dimensions, or as many as are asked for."""
    exchange.send_json(embeddings(request["input"], dim=request.get("dimensions", 1536)))


def reads_bytes(most, *, status=400):
    """Answers when no text has more bytes than this, else refuses the whole request."""

    def behave(exchange, request):
        too_long = any(len(text.encode()) > most for text in request["input"])
        (fails(status, TOO_LONG) if too_long else embeds())(exchange, request)

    return behave
