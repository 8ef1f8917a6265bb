"""The OpenAI adapter against a local server that speaks the protocol, well and badly."""

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import numpy as np
import pytest

from recollect.embedders.openai import OpenAIEmbedder
from recollect.errors import EmbedderError, InvalidInputError

pytest.importorskip("openai", reason="the openai extra is not installed")


def vector_of(text):
    return [float(len(text)), 1.0, 0.0]


def answer(texts):
    """A good answer, as Python objects."""
    return {
        "object": "list",
        "model": "m",
        "usage": {"prompt_tokens": 1, "total_tokens": 1},
        "data": [
            {"object": "embedding", "index": place, "embedding": vector_of(text)}
            for place, text in enumerate(texts)
        ],
    }


class FakeServer(ThreadingHTTPServer):
    """Answers each request with the next behaviour given, the last one for ever."""

    daemon_threads = True

    def __init__(self):
        super().__init__(("127.0.0.1", 0), FakeHandler)
        self.behaviours = [lambda texts: (200, answer(texts))]
        self.requests = []
        self.headers = []
        self.released = threading.Event()

    @property
    def url(self):
        return f"http://127.0.0.1:{self.server_port}/v1"


class FakeHandler(BaseHTTPRequestHandler):
    def do_POST(self):
        request = json.loads(self.rfile.read(int(self.headers["content-length"])))
        self.server.requests.append((self.path, request))
        self.server.headers.append({name.lower(): value for name, value in self.headers.items()})
        behaviours = self.server.behaviours
        behave = behaviours.pop(0) if len(behaviours) > 1 else behaviours[0]
        status, body = behave(request["input"])
        content = body if isinstance(body, bytes) else json.dumps(body).encode()
        try:
            self.send_response(status)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(content)))
            self.send_header("retry-after-ms", "1")
            self.send_header("connection", "close")
            self.end_headers()
            self.wfile.write(content)
        except OSError:
            pass  # the client stopped waiting
        self.close_connection = True

    def log_message(self, *arguments):
        pass


@pytest.fixture
def server():
    with FakeServer() as fake:
        thread = threading.Thread(target=fake.serve_forever, args=(0.01,))
        thread.start()
        yield fake
        fake.released.set()
        fake.shutdown()
        thread.join()


@pytest.fixture
def embedder(server):
    embedder = OpenAIEmbedder("m", base_url=server.url, api_key="secret")
    yield embedder
    embedder._client.close()


def error(status):
    return lambda _: (status, {"error": {"message": "it went wrong", "type": "server_error"}})


def changed(change):
    def behave(texts):
        body = answer(texts)
        change(body)
        return 200, body

    return behave


def test_texts_come_back_as_unit_rows_in_their_order(embedder, server):
    vectors = embedder.embed_documents(["a", "abc"])
    assert vectors.dtype == np.float32
    assert vectors == pytest.approx(np.array([[1, 1, 0], [3, 1, 0]]) / np.sqrt([[2], [10]]))
    assert server.requests == [
        ("/v1/embeddings", {"model": "m", "input": ["a", "abc"], "encoding_format": "float"})
    ]


def test_a_question_is_one_vector(embedder):
    assert embedder.embed_query("abc") == pytest.approx(np.array([3, 1, 0]) / np.sqrt(10))


def test_the_name_is_the_kind_and_the_model(embedder):
    assert embedder.name == "openai:m"


def test_shuffled_answers_are_put_in_order(embedder, server):
    server.behaviours = [changed(lambda body: body["data"].reverse())]
    assert embedder.embed_documents(["a", "abc"])[1] == pytest.approx(np.array([3, 1, 0]) / np.sqrt(10))


def test_many_texts_go_in_batches(server):
    embedder = OpenAIEmbedder("m", base_url=server.url, batch_size=2)
    vectors = embedder.embed_documents(["a", "ab", "abc", "abcd", "abcde"])
    assert vectors.shape == (5, 3)
    assert [request["input"] for _, request in server.requests] == [["a", "ab"], ["abc", "abcd"], ["abcde"]]
    embedder._client.close()


def test_long_texts_go_in_smaller_batches(embedder, server):
    embedder.embed_documents(["x" * 150_000, "y" * 100_000, "z" * 300_000])
    assert [len(request["input"]) for _, request in server.requests] == [1, 1, 1]


def test_blank_texts_are_zero_rows_and_not_sent(embedder, server):
    vectors = embedder.embed_documents(["", "a", " "])
    assert vectors.any(axis=1).tolist() == [False, True, False]
    assert server.requests[0][1]["input"] == ["a"]


def test_an_empty_batch_has_the_models_dimension(embedder):
    assert embedder.embed_documents([]).shape == (0, 3)


@pytest.mark.parametrize("status", [429, 500, 503])
def test_a_refusal_that_passes_is_tried_again(embedder, server, status):
    server.behaviours = [error(status), lambda texts: (200, answer(texts))]
    assert embedder.embed_query("abc").any()
    assert len(server.requests) == 2


@pytest.mark.parametrize("status", [429, 500])
def test_a_refusal_that_stays_is_an_embedder_error(embedder, server, status):
    server.behaviours = [error(status)]
    with pytest.raises(EmbedderError, match="it went wrong"):
        embedder.embed_query("abc")
    assert len(server.requests) == 3


@pytest.mark.parametrize("status", [400, 401, 404])
def test_a_wrong_request_is_an_embedder_error_at_once(embedder, server, status):
    server.behaviours = [error(status)]
    with pytest.raises(EmbedderError, match="it went wrong") as caught:
        embedder.embed_query("abc")
    assert caught.value.__cause__ is not None
    assert len(server.requests) == 1


@pytest.mark.parametrize(
    "body", [b"{", b"", b"<html>a proxy's page</html>", b"null", b"[]", b'"text"', b"{}", b'{"data": null}']
)
def test_an_answer_that_is_no_list_of_vectors_is_an_embedder_error(embedder, server, body):
    server.behaviours = [lambda _: (200, body)]
    with pytest.raises(EmbedderError, match="openai:m"):
        embedder.embed_query("abc")


@pytest.mark.parametrize(
    "change",
    [
        lambda body: body["data"].pop(),
        lambda body: body["data"].append(body["data"][0]),
        lambda body: body["data"].clear(),
        lambda body: body["data"][0].update(index=1),
        lambda body: body["data"][0].update(index=7),
        lambda body: body["data"][0].update(index=None),
        lambda body: body["data"][0].update(embedding=[1.0]),
        lambda body: body["data"][0].update(embedding=[]),
        lambda body: body["data"][0].update(embedding=None),
        lambda body: body["data"][0].update(embedding=["a", "b", "c"]),
        lambda body: body["data"][0].update(embedding=[float("nan"), 1.0, 0.0]),
        lambda body: body["data"][0].update(embedding=[float("inf"), 1.0, 0.0]),
        lambda body: body["data"][0].pop("embedding"),
    ],
)
def test_an_answer_that_is_not_a_finite_vector_per_text_is_an_embedder_error(embedder, server, change):
    server.behaviours = [changed(change)]
    with pytest.raises(EmbedderError, match="openai:m"):
        embedder.embed_documents(["a", "abc"])


def test_a_server_that_does_not_answer_is_an_embedder_error(server):
    def wait(texts):
        server.released.wait()
        return 200, answer(texts)

    server.behaviours = [wait]
    embedder = OpenAIEmbedder("m", base_url=server.url, timeout_s=0.05)
    with pytest.raises(EmbedderError, match="timed out"):
        embedder.embed_query("abc")
    embedder._client.close()


def test_the_key_given_is_sent(embedder, server):
    embedder.embed_query("abc")
    assert server.headers[0]["authorization"] == "Bearer secret"


def test_a_key_from_the_environment_is_not_sent_to_another_server(server, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "for-openai-only")
    embedder = OpenAIEmbedder("m", base_url=server.url)
    embedder.embed_query("abc")
    assert "for-openai-only" not in json.dumps(server.headers)
    embedder._client.close()


def test_no_key_for_openai_itself_is_an_embedder_error(monkeypatch):
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    monkeypatch.delenv("OPENAI_ADMIN_KEY", raising=False)
    with pytest.raises(EmbedderError, match="OPENAI_API_KEY"):
        OpenAIEmbedder("m")


@pytest.mark.parametrize("wrong", [{"batch_size": 0}, {"timeout_s": 0.0}, {"timeout_s": -1.0}])
def test_settings_out_of_range_are_refused(wrong):
    with pytest.raises(InvalidInputError):
        OpenAIEmbedder("m", api_key="secret", **wrong)
