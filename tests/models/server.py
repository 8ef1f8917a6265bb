"""A local server that speaks ``/v1/chat/completions``, well and badly.

It answers each request with the next of its behaviours, the last one for ever. A behaviour is a
function of the exchange: it sees the request and writes the answer.
"""

import json
import threading
import time
from contextlib import contextmanager
from email.utils import formatdate
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

WAIT_S = 60  # how long anything waits for something that will come; no test takes that long
HASTY_S = 0.5  # a time-out that is waited for; what is to come before it has to come in that time


class ChatServer(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Exchange)
        self.behaviours = [says("Tea.")]
        self.requests = []
        self.paths = []
        self.headers = []
        self.over = threading.Event()
        self.date = formatdate(usegmt=True)
        self.hung_up = threading.Event()

    @property
    def url(self):
        return f"http://127.0.0.1:{self.server_port}/v1"

    def received(self, count):
        """Whether so many requests came, no more; the last may be under way when its sender gives up."""
        end = time.monotonic() + WAIT_S
        while len(self.requests) < count and time.monotonic() < end:
            time.sleep(0.01)
        return len(self.requests) == count

    def handle_error(self, request, client_address):
        pass  # the client stopped listening


@contextmanager
def serving(*behaviours):
    """A server at work, that says "Tea." unless told otherwise."""
    with ChatServer() as server:
        server.behaviours = [*behaviours] or server.behaviours
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        try:
            yield server
        finally:
            server.over.set()
            server.shutdown()
            thread.join()


class Exchange(BaseHTTPRequestHandler):
    """One request and its answer."""

    protocol_version = "HTTP/1.1"

    def do_POST(self):
        server = self.server
        request = json.loads(self.rfile.read(int(self.headers["content-length"])))
        server.requests.append(request)
        server.paths.append(self.path)
        server.headers.append({name.lower(): value for name, value in self.headers.items()})
        behaviours = server.behaviours
        behave = behaviours.pop(0) if len(behaviours) > 1 else behaviours[0]
        self.close_connection = True
        try:
            behave(self, request)
        except OSError:
            server.hung_up.set()

    def send_json(self, body, *, status=200, headers=()):
        content = body if isinstance(body, bytes) else json.dumps(body).encode()
        self.begin(status, "application/json", [("content-length", str(len(content))), *headers])
        self.wfile.write(content)

    def begin(self, status, kind, headers):
        self.send_response_only(status)
        self.send_header("date", self.server.date)
        self.send_header("content-type", kind)
        self.send_header("connection", "close")
        for name, value in headers:
            self.send_header(name, value)
        self.end_headers()

    def begin_stream(self):
        self.begin(200, "text/event-stream", [("transfer-encoding", "chunked")])

    def send_chunk(self, data):
        self.wfile.write(b"%x\r\n%s\r\n" % (len(data), data))

    def send_event(self, body):
        data = body if isinstance(body, str) else json.dumps(body)
        self.send_chunk(f"data: {data}\n\n".encode())

    def end_stream(self):
        self.wfile.write(b"0\r\n\r\n")

    def log_message(self, *arguments):
        pass


def completion(text="Tea.", *, reason="stop", usage=(11, 3), **message):
    """A good answer, as Python objects."""
    body = {
        "id": "c",
        "object": "chat.completion",
        "created": 1,
        "model": "m",
        "choices": [
            {
                "index": 0,
                "finish_reason": reason,
                "message": {"role": "assistant", "content": text, **message},
            }
        ],
    }
    return body | ({"usage": counted(*usage)} if usage else {})


def piece(text=None, *, reason=None, **delta):
    """A piece of a streamed answer."""
    choice = {"index": 0, "delta": {"content": text, **delta}, "finish_reason": reason}
    return {"id": "c", "object": "chat.completion.chunk", "created": 1, "model": "m", "choices": [choice]}


def counted(prompt, answer):
    return {"prompt_tokens": prompt, "completion_tokens": answer, "total_tokens": prompt + answer}


def says(text, **settings):
    """Answers well."""
    return sends(completion(text, **settings))


def sends(body):
    """Answers with this body, whatever it is."""
    return lambda exchange, _: exchange.send_json(body)


def fails(status, message="it went wrong", *, code=None, **headers):
    """Answers with an error."""
    body = {"error": {"message": message, "type": "some_error", "code": code}}
    named = [(name.replace("_", "-"), value) for name, value in headers.items()]
    return lambda exchange, _: exchange.send_json(body, status=status, headers=named)


def streams(*events, usage=(11, 3), done=True):
    """Streams events: texts are pieces of the answer, mappings go out as they are."""

    def behave(exchange, request):
        exchange.begin_stream()
        for event in events:
            exchange.send_event(piece(event) if isinstance(event, str) else event)
        if usage and request.get("stream_options", {}).get("include_usage"):
            exchange.send_event({"choices": [], "usage": counted(*usage)})
        if done:
            exchange.send_event("[DONE]")
        exchange.end_stream()

    return behave


def streams_bytes(content):
    """Streams these bytes one by one, as a slow network does."""

    def behave(exchange, _):
        exchange.begin_stream()
        for byte in content:
            exchange.send_chunk(bytes([byte]))
        exchange.end_stream()

    return behave


def breaks_off(*texts):
    """Streams some pieces, then cuts the connection in the middle of the next."""

    def behave(exchange, _):
        exchange.begin_stream()
        for text in texts:
            exchange.send_event(piece(text))
        exchange.wfile.write(b'40\r\ndata: {"choices": [{"del')

    return behave


def hangs(*texts):
    """Answers nothing, or streams some pieces and then nothing more."""

    def behave(exchange, _):
        if texts:
            exchange.begin_stream()
        for text in texts:
            exchange.send_event(piece(text))
        exchange.server.over.wait(WAIT_S)

    return behave


def drips(*texts, drop=b" ", kind="text/event-stream"):
    """Keeps the connection busy with nothing, for ever."""

    def behave(exchange, _):
        exchange.begin(200, kind, [("transfer-encoding", "chunked")])
        for text in texts:
            exchange.send_event(piece(text))
        while not exchange.server.over.wait(0.02):
            exchange.send_chunk(drop)

    return behave


def talks_on(text="word "):
    """Streams pieces as long as anyone listens."""

    def behave(exchange, _):
        exchange.begin_stream()
        while not exchange.server.over.wait(0.001):
            exchange.send_event(piece(text))

    return behave


def cuts_the_body(exchange, _):
    """Promises more bytes than it sends."""
    exchange.begin(200, "application/json", [("content-length", "1000")])
    exchange.wfile.write(b'{"choices": [')


def hangs_up(exchange, _):
    """Closes the connection without a word."""


def knows_no(*names):
    """Refuses requests with one of these fields, or a response_format of this type; else answers."""

    def behave(exchange, request):
        kind = request.get("response_format", {}).get("type")
        for name in names:
            if name in request or name == kind:
                return fails(400, f"{name} is not supported")(exchange, request)
        if request.get("stream"):
            return streams("Tea.")(exchange, request)
        return says('{"drink": "tea"}')(exchange, request)

    return behave
