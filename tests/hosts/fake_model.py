"""A model that hosts talk to in the protocols of four vendors; it knows what it is given and nothing else."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

TOLD = "The staging database is called heron. Remember the name."
ASKED = "What is the staging database called?"
NOTED, KNOWN, UNKNOWN = "Noted.", "It is called heron.", "I do not know."


def _answer(given: str) -> str:
    """What it says; only memories name the heron where somebody asks for it."""
    if ASKED not in given:
        return NOTED
    return KNOWN if "Quoted from memory" in given and "heron" in given else UNKNOWN


def _events(path: str, text: str) -> list[dict[str, Any] | str]:
    """The answer as the stream of a vendor's API."""
    if path.startswith("/v1/messages"):
        message = {"id": "m", "type": "message", "role": "assistant", "model": "fake", "content": []}
        usage, block = {"input_tokens": 1, "output_tokens": 1}, {"type": "text", "text": ""}
        return [
            {"type": "message_start", "message": {**message, "usage": usage}},
            {"type": "content_block_start", "index": 0, "content_block": block},
            {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": text}},
            {"type": "content_block_stop", "index": 0},
            {"type": "message_delta", "delta": {"stop_reason": "end_turn"}, "usage": usage},
            {"type": "message_stop"},
        ]
    if path.startswith("/v1/responses"):
        item = {"type": "message", "id": "m", "role": "assistant"}
        item["content"] = [{"type": "output_text", "text": text, "annotations": []}]  # type: ignore[assignment]
        usage = {"input_tokens": 1, "output_tokens": 1, "total_tokens": 2}
        return [
            {"type": "response.created", "response": {"id": "r"}},
            {"type": "response.output_item.done", "output_index": 0, "item": item},
            {"type": "response.completed", "response": {"id": "r", "output": [item], "usage": usage}},
        ]
    if path.startswith("/v1/chat/completions"):
        about = {"id": "c", "object": "chat.completion.chunk", "created": 1, "model": "fake"}
        said = {"index": 0, "delta": {"role": "assistant", "content": text}, "finish_reason": None}
        over = {"index": 0, "delta": {}, "finish_reason": "stop"}
        return [{**about, "choices": [said]}, {**about, "choices": [over]}, "[DONE]"]
    content = {"role": "model", "parts": [{"text": text}]}
    return [{"candidates": [{"content": content, "finishReason": "STOP", "index": 0}]}]


class _Handler(BaseHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base class names it
        """Say nothing."""

    def do_GET(self) -> None:
        self._send("application/json", json.dumps({"data": [], "models": []}))

    def do_POST(self) -> None:
        given = self.rfile.read(int(self.headers.get("content-length", 0))).decode()
        if "count_tokens" in self.path:
            self._send("application/json", json.dumps({"input_tokens": 1}))
            return
        lines = []
        for event in _events(self.path, _answer(given)):
            kind = event.get("type") if isinstance(event, dict) else None
            named = f"event: {kind}\n" if kind else ""
            lines.append(f"{named}data: {event if isinstance(event, str) else json.dumps(event)}\n\n")
        self._send("text/event-stream", "".join(lines))

    def _send(self, kind: str, text: str) -> None:
        self.send_response(200)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(text.encode())))
        self.end_headers()
        self.wfile.write(text.encode())


@contextmanager
def fake_model() -> Iterator[str]:
    """A server on this machine; its address."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
    thread = Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
