"""The OpenAI adapter against a local server that speaks the protocol, well and badly."""

import threading
import traceback

import numpy as np
import pytest
from tests.embedders.serving import embeds, reads_bytes, shortens
from tests.models.server import HASTY_S, cuts_the_body, drips, fails, hangs, hangs_up, sends

from recollect.embedders import OpenAIEmbedder
from recollect.errors import EmbedderError, InvalidInputError

ARMENIAN = "\u0531"  # two bytes; estimated as one token, and some tokenizers make two of it


def inputs(server):
    return [request["input"] for request in server.requests]


def test_texts_come_back_as_unit_rows_in_their_order(embedder, server):
    vectors = embedder.embed_documents(["a", "abc"])
    assert vectors.dtype == np.float32
    assert vectors == pytest.approx(np.array([[1, 1, 0], [3, 1, 0]]) / np.sqrt([[2], [10]]))
    assert server.requests == [{"model": "m", "input": ["a", "abc"], "encoding_format": "float"}]
    assert server.paths == ["/v1/embeddings"]


def test_a_question_is_one_vector(embedder):
    assert embedder.embed_query("abc") == pytest.approx(np.array([3, 1, 0]) / np.sqrt(10))


def test_shuffled_answers_are_put_in_order(embedder, server):
    server.behaviours = [embeds(lambda body: body["data"].reverse())]
    assert embedder.embed_documents(["a", "abc"])[1] == pytest.approx(np.array([3, 1, 0]) / np.sqrt(10))


def test_many_texts_go_in_batches(embedder_of, server):
    texts = ["a", "ab", "abc", "abcd", "abcde"]
    vectors = embedder_of(batch_size=2).embed_documents(texts)
    assert vectors.shape == (5, 3)
    assert vectors[4] == pytest.approx(np.array([5, 1, 0]) / np.sqrt(26))
    assert inputs(server) == [["a", "ab"], ["abc", "abcd"], ["abcde"]]


def test_long_texts_go_in_smaller_batches(embedder_of, server):
    embedder_of(max_tokens=10**6).embed_documents(["x" * 150_000, "é" * 60_000, "z" * 50_000, "w" * 50_000])
    assert [len(texts) for texts in inputs(server)] == [1, 2, 1]


def test_blank_texts_are_zero_rows_and_not_sent(embedder, server):
    vectors = embedder.embed_documents(["", "a", " "])
    assert vectors.any(axis=1).tolist() == [False, True, False]
    assert inputs(server) == [["a"]]


@pytest.mark.parametrize(
    ("model", "dimensions", "size"),
    [("text-embedding-3-large", None, 3072), ("text-embedding-3-large", 256, 256), ("m", 8, 8)],
)
def test_blank_texts_alone_need_no_request_where_the_size_is_known(
    embedder_of, server, model, dimensions, size
):
    embedder = embedder_of(model, dimensions=dimensions)
    assert embedder.embed_documents(["", "\n"]).shape == (2, size)
    assert not embedder.embed_query(" ").any()
    assert server.requests == []


def test_an_unknown_models_size_is_asked_for_once(embedder, server):
    assert embedder.embed_documents([]).shape == (0, 3)
    assert embedder.embed_documents([" "]).shape == (1, 3)
    assert len(server.requests) == 1


def test_texts_are_sent_without_blanks_around_them_and_without_half_characters(embedder, server):
    embedder.embed_documents([" tea\n", "a\ud800b", "caf\u00e9 \U0001f375"])
    assert inputs(server) == [["tea", "a?b", "caf\u00e9 \U0001f375"]]


def test_a_text_that_is_too_long_is_cut_and_the_others_are_not(embedder_of, server):
    embedder_of(max_tokens=10).embed_documents(["one two", "word " * 50])
    assert inputs(server) == [["one two", "word" + " word" * 9]]


def test_what_the_server_still_finds_too_long_is_cut_harder_and_nothing_else(embedder_of, server):
    server.behaviours = [reads_bytes(20)]
    texts = ["tea", "coffee", ARMENIAN * 18, "water", "A " * 9]
    vectors = embedder_of(max_tokens=20).embed_documents(texts)
    assert vectors == pytest.approx(
        embedder_of().embed_documents(["tea", "coffee", ARMENIAN * 10, "water", "A " * 9])
    )
    assert inputs(server)[0] == ["tea", "coffee", ARMENIAN * 18, "water", ("A " * 9).strip()]


@pytest.mark.parametrize("status", [400, 413, 422])
def test_the_ways_to_say_too_long_are_understood(embedder_of, server, status):
    server.behaviours = [reads_bytes(20, status=status)]
    embedder_of(max_tokens=20).embed_query(ARMENIAN * 15)
    assert inputs(server) == [[ARMENIAN * 15], [ARMENIAN * 10]]


def test_a_server_that_refuses_whatever_it_gets_is_one_clear_error(embedder_of, server):
    server.behaviours = [fails(400, "no")]
    with pytest.raises(EmbedderError, match="openai:m failed with 400: no"):
        embedder_of(max_tokens=20).embed_documents([ARMENIAN * 15] * 8)
    assert len(server.requests) == 5  # eight texts, four, two, one, and the one cut


@pytest.mark.parametrize("status", [408, 409, 429, 500, 503])
def test_a_refusal_that_passes_is_tried_again(embedder, server, waits, status):
    server.behaviours = [fails(status), fails(status), embeds()]
    assert embedder.embed_query("abc").any()
    assert len(server.requests) == 3
    assert 0.375 <= waits[0] <= 0.5
    assert 0.75 <= waits[1] <= 1.0


def test_the_server_says_how_long_to_wait(embedder, server, waits):
    server.behaviours = [fails(429, retry_after="7"), embeds()]
    assert embedder.embed_query("abc").any()
    assert waits == [7.0]


def test_only_the_batch_that_failed_is_tried_again(embedder_of, server):
    server.behaviours = [embeds(), fails(500), embeds()]
    assert embedder_of(batch_size=1).embed_documents(["a", "ab"]).shape == (2, 3)
    assert inputs(server) == [["a"], ["ab"], ["ab"]]


@pytest.mark.parametrize("status", [429, 500])
@pytest.mark.parametrize("retries", [0, 2])
def test_a_refusal_that_stays_is_an_embedder_error(embedder_of, server, status, retries):
    server.behaviours = [fails(status)]
    with pytest.raises(EmbedderError, match=f"openai:m failed with {status}, .*: it went wrong"):
        embedder_of(retries=retries).embed_query("abc")
    assert len(server.requests) == 1 + retries


@pytest.mark.parametrize(
    ("status", "advice"),
    [
        (400, "failed with 400: it went wrong"),
        (401, "refuses the key; pass api_key, or set OPENAI_API_KEY"),
        (404, "knows no model 'm', or base_url lacks its /v1"),
    ],
)
def test_a_wrong_request_is_an_embedder_error_at_once_and_says_what_to_do(embedder, server, status, advice):
    server.behaviours = [fails(status)]
    with pytest.raises(EmbedderError, match=advice) as caught:
        embedder.embed_query("abc")
    assert caught.value.__cause__ is not None
    assert len(server.requests) == 1


@pytest.mark.parametrize(
    "body", [b"{", b"", b"<html>a proxy's page</html>", b"null", b"[]", b'"text"', b"{}", b'{"data": null}']
)
def test_an_answer_that_is_no_list_of_vectors_is_an_embedder_error(embedder, server, body):
    server.behaviours = [sends(body)]
    with pytest.raises(EmbedderError, match="/v1 did not answer as an OpenAI-compatible server does: "):
        embedder.embed_query("abc")
    assert len(server.requests) == 1


@pytest.mark.parametrize(
    ("change", "wrong"),
    [
        (lambda body: body["data"].pop(), "number of its vectors is 1, that of the texts 2"),
        (lambda body: body["data"].append(body["data"][0]), "number of its vectors is 3"),
        (lambda body: body["data"].clear(), "number of its vectors is 0"),
        (lambda body: body["data"].__setitem__(0, "no"), "number of its vectors is 1"),
        (lambda body: body["data"][0].update(index=1), "numbered from 0 to 1"),
        (lambda body: body["data"][0].update(index=7), "numbered from 0 to 1"),
        (lambda body: body["data"][0].update(index=None), "numbered from 0 to 1"),
        (lambda body: body["data"][0].update(index=[0]), "numbered from 0 to 1"),
        (lambda body: body["data"][0].update(embedding=[1.0]), "not a table of numbers"),
        (lambda body: body["data"][0].update(embedding=[]), "not a table of numbers"),
        (lambda body: body["data"][0].update(embedding=None), "not a table of numbers"),
        (lambda body: body["data"][0].update(embedding="AACAPw=="), "not a table of numbers"),
        (lambda body: body["data"][0].update(embedding=["a", "b", "c"]), "not a table of numbers"),
        (lambda body: body["data"][0].update(embedding=[float("nan"), 1.0, 0.0]), "NaN or infinity"),
        (lambda body: body["data"][0].update(embedding=[float("inf"), 1.0, 0.0]), "NaN or infinity"),
        (lambda body: body["data"][0].pop("embedding"), "not a table of numbers"),
    ],
)
def test_an_answer_that_is_not_a_finite_vector_per_text_is_an_embedder_error(embedder, server, change, wrong):
    server.behaviours = [embeds(change)]
    with pytest.raises(EmbedderError, match=wrong):
        embedder.embed_documents(["a", "abc"])


def test_a_size_that_changes_between_batches_is_an_embedder_error(embedder_of, server):
    server.behaviours = [embeds(dim=3), embeds(dim=5)]
    with pytest.raises(EmbedderError, match=r"different sizes: \[3, 5\]"):
        embedder_of(batch_size=1).embed_documents(["a", "ab"])


def test_a_size_that_changes_between_calls_is_an_embedder_error(embedder, server):
    server.behaviours = [embeds(dim=3), embeds(dim=5)]
    embedder.embed_query("a")
    with pytest.raises(EmbedderError, match="returned 5 dimensions, not 3 as before"):
        embedder.embed_query("a")


def test_dimensions_are_asked_for_and_come_back(embedder_of, server):
    server.behaviours = [shortens]
    assert embedder_of("text-embedding-3-small", dimensions=512).embed_query("abc").shape == (512,)
    assert server.requests[0]["dimensions"] == 512


def test_a_server_that_does_not_shorten_vectors_is_an_embedder_error(embedder_of):
    with pytest.raises(EmbedderError, match=r"returned 3 dimensions, not 2: .*leave dimensions out"):
        embedder_of(dimensions=2).embed_query("abc")


def test_an_error_reported_in_a_good_answer_is_an_embedder_error(embedder_of, server):
    server.behaviours = [sends({"error": {"message": "out of memory", "code": 400}})]
    with pytest.raises(EmbedderError, match="openai:m failed: out of memory"):
        embedder_of().embed_query("abc")


def test_a_server_that_does_not_answer_is_an_embedder_error(embedder_of, server, waits):
    server.behaviours = [hangs()]
    with pytest.raises(EmbedderError, match=r"timed out: .* took longer than 0.5 s; raise timeout_s"):
        embedder_of(timeout_s=HASTY_S, retries=1).embed_query("abc")
    assert server.received(2)
    assert len(waits) == 1


def test_an_answer_that_does_not_end_is_an_embedder_error(embedder_of, server):
    server.behaviours = [drips(kind="application/json")]
    with pytest.raises(EmbedderError, match="timed out"):
        embedder_of(timeout_s=HASTY_S, retries=0).embed_query("abc")


def test_an_answer_without_bounds_is_an_embedder_error(embedder_of, server):
    server.behaviours = [drips(drop=b" " * 2**20, kind="application/json")]
    with pytest.raises(EmbedderError, match="larger than 2,097,152 bytes"):
        embedder_of().embed_query("abc")


@pytest.mark.parametrize("behave", [cuts_the_body, hangs_up])
def test_a_broken_connection_is_tried_again_and_then_an_embedder_error(embedder_of, server, behave):
    server.behaviours = [behave, embeds()]
    assert embedder_of(retries=1).embed_query("abc").any()
    server.behaviours = [behave]
    with pytest.raises(EmbedderError, match="openai:m broke off"):
        embedder_of(retries=1).embed_query("abc")
    assert len(server.requests) == 4


def test_a_server_that_is_not_there_is_an_embedder_error(embedder_of):
    with pytest.raises(EmbedderError, match=r"cannot be reached at http://127\.0\.0\.1:9/v1"):
        embedder_of(base_url="http://127.0.0.1:9/v1", retries=0).embed_query("abc")


@pytest.mark.parametrize("address", ["http://[::1", "https://\0/v1"])
def test_an_address_that_is_none_is_refused(embedder_of, address):
    with pytest.raises(InvalidInputError, match="base_url, or OPENAI_BASE_URL, is not an address"):
        embedder_of(base_url=address)


def test_a_proxy_that_cannot_be_used_is_an_embedder_error(embedder_of, monkeypatch):
    monkeypatch.setenv("ALL_PROXY", "nonsense://127.0.0.1:9")
    with pytest.raises(EmbedderError, match=r"openai:m cannot be asked: .*nonsense"):
        embedder_of()


def test_the_key_given_is_sent(embedder, server):
    embedder.embed_query("abc")
    assert server.headers[0]["authorization"] == "Bearer sk-secret"


def test_nothing_from_the_environment_is_sent_to_another_server(embedder_of, server, monkeypatch):
    for variable in ("OPENAI_API_KEY", "OPENAI_ORG_ID", "OPENAI_PROJECT_ID"):
        monkeypatch.setenv(variable, "for-openai-only")
    embedder_of(api_key=None).embed_query("abc")
    assert "for-openai-only" not in str(server.headers)


def test_the_sdk_reads_the_environment_when_no_server_is_named(embedder_of, server, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "from-outside")
    monkeypatch.setenv("OPENAI_BASE_URL", server.url)
    embedder_of(api_key=None, base_url=None).embed_query("abc")
    assert server.headers[0]["authorization"] == "Bearer from-outside"


@pytest.mark.parametrize("status", [400, 401, 429, 500])
def test_a_key_that_the_server_repeats_is_not_shown(embedder_of, server, status):
    embedder = embedder_of(retries=0)
    server.behaviours = [fails(status, "wrong key: sk-secret")]
    with pytest.raises(EmbedderError, match=r"wrong key: \[key\]") as caught:
        embedder.embed_query("abc")
    assert "sk-secret" not in "".join(traceback.format_exception(caught.value)) + repr(embedder)


def test_a_password_in_the_address_is_not_shown(embedder_of, server):
    embedder = embedder_of(base_url=server.url.replace("http://", "http://ada:hunter2@"))
    server.behaviours = [fails(404)]
    with pytest.raises(EmbedderError, match=server.url) as caught:
        embedder.embed_query("abc")
    assert "hunter2" not in str(caught.value) + repr(embedder)


@pytest.mark.parametrize("key", [None, "", "  "])
def test_no_key_for_openai_itself_is_an_error_that_says_what_to_do(monkeypatch, key):
    pytest.importorskip("openai", reason="the openai extra is not installed")
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    monkeypatch.delenv("OPENAI_ADMIN_KEY", raising=False)
    with pytest.raises(EmbedderError, match=r"set OPENAI_API_KEY or pass api_key; .*'static' needs no key"):
        OpenAIEmbedder("m", api_key=key)


@pytest.mark.parametrize(
    "wrong",
    [
        {"batch_size": 0},
        {"batch_size": True},
        {"max_tokens": 0},
        {"timeout_s": 0.0},
        {"timeout_s": -1.0},
        {"retries": -1},
        {"base_url": "localhost:11434"},
        {"dimensions": 0},
        {"dimensions": 1.5},
        {"costs": 5},
    ],
)
def test_settings_out_of_range_are_refused_by_name(embedder_of, wrong):
    with pytest.raises(InvalidInputError, match=next(iter(wrong))):
        embedder_of(**wrong)


def test_threads_may_ask_at_once(embedder, server):
    found = {}

    def ask(length):
        found[length] = embedder.embed_query("a" * length)

    threads = [threading.Thread(target=ask, args=(length,)) for length in range(1, 6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for length, vector in found.items():
        assert vector == pytest.approx(np.array([length, 1, 0]) / np.hypot(length, 1))
    assert embedder.usage.calls == len(found) == 5
