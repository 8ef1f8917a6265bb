from datetime import UTC, datetime

import pytest

from recollect import InvalidInputError, Memory, NotFoundError
from recollect.testing import FakeClock
from recollect.types import Labels, Within

TURNS = [
    {
        "role": "user",
        "content": "I adopted a cat called Miso.",
        "name": "Ada",
        "timestamp": "2026-05-01T10:00:00Z",
    },
    {"role": "assistant", "content": "Lovely! What does Miso eat?", "timestamp": "2026-05-01T10:00:05"},
    {"role": "user", "content": "Mostly tuna, and she sleeps on the piano.", "name": "Ada"},
]


@pytest.fixture
def clock():
    return FakeClock()


@pytest.fixture(params=["file", "in memory"])
def memory(request, tmp_path, clock):
    target = tmp_path / "brain.db" if request.param == "file" else ":memory:"
    with Memory(target, clock=clock) as memory:
        yield memory


def texts(hits):
    return [hit.memory.content for hit in hits]


def test_a_text_is_remembered_and_found(memory):
    (result,) = memory.add("I prefer Python for data analysis", user_id="ada")
    (hit,) = memory.search("which language for my project?", user_id="ada")
    assert (result.status, result.reason) == ("stored", None)
    assert hit.memory.id == result.id
    assert 0 < hit.score < 1


def test_turns_keep_their_order_speaker_time_and_metadata(memory, clock):
    results = memory.add(TURNS, user_id="ada", session_id="s1", metadata={"from": "chat"})
    found = memory.get_all(user_id="ada")
    assert [record.id for record in found] == [result.id for result in results]
    assert [record.origin.turn for record in found] == [0, 1, 2]
    assert [(r.origin.role, r.origin.speaker) for r in found] == [
        ("user", "Ada"),
        ("assistant", None),
        ("user", "Ada"),
    ]
    assert found[1].times.happened_at == datetime(2026, 5, 1, 10, 0, 5, tzinfo=UTC)
    assert found[2].times.happened_at == found[2].times.created_at == clock.now
    assert all(record.metadata == {"from": "chat"} for record in found)


def test_metadata_of_a_message_is_laid_over_that_of_the_call(memory):
    message = {"content": "tea", "metadata": {"mood": "calm"}}
    (result,) = memory.add([message], user_id="ada", metadata={"mood": "none", "app": "x"})
    assert memory.get(result.id, user_id="ada").metadata == {"mood": "calm", "app": "x"}


def test_a_message_says_in_which_tier_it_begins(memory):
    (new,) = memory.add({"content": "just said", "tier": "short-term"}, user_id="ada")
    (kept,) = memory.add("kept", user_id="ada")
    tiers = [memory.get(str(one.id), user_id="ada").tier for one in (new, kept)]
    assert tiers == ["short-term", "long-term"]
    with pytest.raises(InvalidInputError, match="tier 'forever' is unknown"):
        memory.add({"content": "no", "tier": "forever"}, user_id="ada")
    assert memory.stats(user_id="ada").memories == 2


def test_a_later_call_goes_on_in_the_same_session(memory):
    memory.add(TURNS[:2], user_id="ada", session_id="s1")
    memory.add(TURNS[2:], user_id="ada", session_id="s1")
    assert [record.origin.turn for record in memory.get_all(user_id="ada", session_id="s1")] == [0, 1, 2]


def test_the_same_words_may_be_said_twice(memory):
    assert [result.status for result in memory.add(["Hi!", "Hi!"], user_id="ada")] == ["stored", "stored"]


def test_a_known_idempotency_key_stores_nothing_again(memory):
    (first,) = memory.add("tea at four", user_id="ada", idempotency_key="k")
    (second,) = memory.add("tea at five", user_id="ada", idempotency_key="k")
    assert (second.id, second.status) == (first.id, "duplicate")
    assert len(memory.get_all(user_id="ada")) == 1


def test_the_items_of_a_list_share_a_call_key_by_their_place(memory):
    first = memory.add(["a", "b"], user_id="ada", idempotency_key="k")
    again = memory.add(["a", "b", "c"], user_id="ada", idempotency_key="k")
    assert [result.status for result in again] == ["duplicate", "duplicate", "stored"]
    assert [result.id for result in again[:2]] == [result.id for result in first]


def test_the_keys_of_a_list_are_no_keys_that_a_caller_can_give(memory):
    memory.add(["a", "b"], user_id="ada", idempotency_key="k")
    for key in ("k#0", "k#1", "k#2", "k/1", "k:1"):
        (result,) = memory.add(f"under {key}", user_id="ada", idempotency_key=key)
        assert result.status == "stored"


def test_a_key_is_free_again_when_all_under_it_was_refused(memory):
    (refused,) = memory.add([{"role": "user", "content": " "}], user_id="ada", idempotency_key="k")
    assert refused.status == "refused"
    (stored,) = memory.add("tea", user_id="ada", idempotency_key="k")
    assert stored.status == "stored"


def test_a_secret_is_masked_before_it_is_stored(memory):
    (result,) = memory.add("my key is sk-abcdefghijklmnopqrstuvwxyz0123456789ABCD", user_id="ada")
    assert result.status == "redacted"
    assert "sk-" not in memory.get(result.id, user_id="ada").content


def test_a_secret_is_refused_or_kept_when_asked_for(tmp_path):
    secret = "my key is sk-abcdefghijklmnopqrstuvwxyz0123456789ABCD"
    with Memory(tmp_path / "a.db", secrets="refuse") as memory:
        results = memory.add([secret, "tea"], user_id="ada")
        assert [result.status for result in results] == ["refused", "stored"]
    with Memory(tmp_path / "b.db", secrets="keep") as memory:
        (result,) = memory.add(secret, user_id="ada")
        assert memory.get(result.id, user_id="ada").content == secret


def test_an_item_without_words_is_refused_and_the_rest_is_stored(memory):
    results = memory.add(["tea", "  ", {"role": "assistant", "content": None}], user_id="ada")
    assert [result.status for result in results] == ["stored", "refused", "refused"]
    assert "messages[1]" in str(results[1].reason)


def test_search_narrows_by_session_kind_time_and_filter(memory):
    memory.add(TURNS, user_id="ada", session_id="s1")
    memory.add("Miso is a cat", user_id="ada", kind="fact", metadata={"sure": True})
    assert texts(memory.search("Miso", user_id="ada", kinds=["fact"])) == ["Miso is a cat"]
    assert texts(memory.search("Miso", user_id="ada", filters={"sure": True})) == ["Miso is a cat"]
    assert len(memory.search("Miso", user_id="ada", session_id="s1")) == 3
    assert len(memory.search("Miso", user_id="ada", within=Within(until="2026-05-01T10:00:03Z"))) == 1
    assert memory.search("Miso", user_id="ada", filters={"sure": False}) == []


def test_a_threshold_leaves_out_what_scores_less(memory):
    memory.add(TURNS, user_id="ada")
    best, *others = memory.search("What does Miso eat?", user_id="ada")
    assert texts(memory.search("What does Miso eat?", user_id="ada", threshold=best.score)) == [
        best.memory.content
    ]
    assert others


def test_an_agent_sees_only_its_own(memory):
    memory.add("tea", user_id="ada", agent_id="cook")
    memory.add("tea", user_id="ada", agent_id="tutor")
    (hit,) = memory.search("tea", user_id="ada", agent_id="cook")
    assert hit.memory.scope.agent_id == "cook"
    assert memory.search("tea", user_id="ada", agent_id="nobody") == []


def test_the_context_quotes_the_best_within_its_budget(memory):
    memory.add(TURNS, user_id="ada", session_id="s1")
    context = memory.context("What does Miso eat?", user_id="ada", budget_tokens=60)
    assert "tuna" in context.text
    assert 0 < context.tokens <= 60
    assert memory.context("What does Miso eat?", user_id="ada", budget_tokens=1).text == ""
    assert memory.context("What does Miso eat?", user_id="nobody").text == ""


def test_an_update_is_found_by_its_new_words_and_remembers_the_old(memory, clock):
    (result,) = memory.add("I live in Paris", user_id="ada")
    clock.tick(60)
    updated = memory.update(result.id, user_id="ada", content="I live in Oslo", reason="moved")
    assert updated.content == memory.get(result.id, user_id="ada").content == "I live in Oslo"
    assert updated.times.updated_at == clock.now
    assert memory.search("Oslo", user_id="ada")[0].signals["words"] > 0
    assert memory.search("Paris", user_id="ada")[0].signals["words"] == 0
    added, changed = memory.history(result.id, user_id="ada")
    assert (added.action, changed.action, changed.reason) == ("add", "update", "moved")
    assert (changed.before["content"], changed.after["content"]) == ("I live in Paris", "I live in Oslo")


def test_an_update_leaves_alone_what_is_not_named(memory):
    (result,) = memory.add("tea", user_id="ada", metadata={"a": 1})
    updated = memory.update(
        result.id, user_id="ada", labels=Labels(importance=0.9, tags=["drinks"], critical=True)
    )
    assert (updated.content, updated.metadata) == ("tea", {"a": 1})
    assert (updated.worth.importance, updated.worth.critical, updated.labels.tags[0].text) == (
        0.9,
        True,
        "drinks",
    )


def test_a_deleted_memory_is_gone_but_for_its_history(memory):
    (result,) = memory.add("tea", user_id="ada")
    memory.delete(result.id, user_id="ada", reason="wrong")
    assert memory.search("tea", user_id="ada") == memory.get_all(user_id="ada") == []
    assert [change.action for change in memory.history(result.id, user_id="ada")] == ["add", "delete"]
    with pytest.raises(NotFoundError):
        memory.get(result.id, user_id="ada")
    with pytest.raises(NotFoundError):
        memory.delete(result.id, user_id="ada")
    assert memory.purge(user_id="ada") == 1
    with pytest.raises(NotFoundError):
        memory.history(result.id, user_id="ada")


def test_all_of_a_session_is_deleted_at_once(memory):
    memory.add(TURNS, user_id="ada", session_id="s1")
    memory.add("tea", user_id="ada", session_id="s2")
    assert memory.delete_all(user_id="ada", session_id="s1") == 3
    assert [record.content for record in memory.get_all(user_id="ada")] == ["tea"]


def test_feedback_moves_a_memory_among_its_equals(memory):
    first, second, third = (memory.add("tea", user_id="ada", session_id=name)[0].id for name in "abc")
    memory.use(third, user_id="ada", useful=True, reason="answered")
    memory.use(first, user_id="ada", useful=False)
    hits = memory.search("tea", user_id="ada", collapse=False)
    assert [hit.memory.id for hit in hits] == [third, second, first]
    assert memory.history(third, user_id="ada")[-1].reason == "answered"


def test_an_explanation_says_where_a_memory_stands_for_a_question(memory):
    memory.add(TURNS, user_id="ada", session_id="s1")
    last = memory.get_all(user_id="ada")[-1]
    why = memory.explain(last.id, user_id="ada", query="Where does Miso sleep?")
    hit = next(h for h in memory.search("Where does Miso sleep?", user_id="ada") if h.memory.id == last.id)
    assert why.recollection is not None
    assert why.recollection.score == pytest.approx(hit.score)
    assert (why.rank, why.ranked) == (1, 3)
    assert "rank 1 of 3" in str(why)
    assert memory.explain(last.id, user_id="ada").rank is None


def test_a_search_writes_nothing(memory):
    (result,) = memory.add("tea", user_id="ada")
    before = memory.get(result.id, user_id="ada")
    memory.search("tea", user_id="ada")
    memory.context("tea", user_id="ada")
    assert memory.get(result.id, user_id="ada") == before
    assert len(memory.history(result.id, user_id="ada")) == 1


def test_an_unknown_user_has_nothing(memory):
    assert memory.search("tea", user_id="nobody") == []
    assert memory.get_all(user_id="nobody") == []
    assert memory.delete_all(user_id="nobody") == 0
    assert memory.stats(user_id="nobody").memories == 0


def test_stats_count_what_is_there(memory):
    memory.add(TURNS, user_id="ada")
    memory.add("Miso is a cat", user_id="bob", kind="fact")
    stats = memory.stats()
    assert (stats.memories, stats.users, stats.kinds) == (4, 2, {"message": 3, "fact": 1})
    assert (stats.embedder, stats.dimensions) == ("recollect-contextual-v2", 352)
    assert memory.stats(user_id="bob").memories == 1


def test_memories_come_page_by_page(memory):
    memory.add([f"note {i}" for i in range(7)], user_id="ada")
    first = memory.get_all(user_id="ada", limit=4)
    rest = memory.get_all(user_id="ada", limit=4, after=first[-1].id)
    assert [record.content for record in first + rest] == [f"note {i}" for i in range(7)]


def test_words_in_other_scripts_are_found(memory):
    memory.add(
        ["我喜欢在东京塔附近喝咖啡", "Müller wohnt in Zürich", "Привет, я живу в Москве"], user_id="ada"
    )
    assert "东京" in memory.search("东京塔", user_id="ada")[0].memory.content
    assert "Zürich" in memory.search("zurich", user_id="ada")[0].memory.content
    assert "Москве" in memory.search("Москве", user_id="ada")[0].memory.content


def test_a_memory_for_another_language_stems_its_words(tmp_path):
    with Memory(tmp_path / "de.db", language="de") as memory:
        memory.add("Die Katzen schlafen auf dem Klavier", user_id="ada")
        assert memory.search("Katze", user_id="ada")[0].signals["words"] > 0
    with pytest.raises(InvalidInputError, match="snowball-de"):
        Memory(tmp_path / "de.db")


def test_what_is_exported_can_be_loaded_elsewhere(memory, tmp_path):
    memory.add(TURNS, user_id="ada", session_id="s1")
    assert memory.export(tmp_path / "out.jsonl") == 3
    with Memory(tmp_path / "other.db") as other:
        assert other.load(tmp_path / "out.jsonl").stored == 3
        assert other.load(tmp_path / "out.jsonl").duplicates == 3
        assert other.get_all(user_id="ada") == memory.get_all(user_id="ada")


def test_a_context_abstains_when_nothing_fits(memory):
    memory.add(["I prefer Python for data analysis", "We adopted a greyhound"], user_id="ada")
    context = memory.context("How tall is the Eiffel tower?", user_id="ada")
    assert (context.text, context.included) == ("", ())
    assert memory.context("How tall is the Eiffel tower?", user_id="ada", threshold=0).included


def test_an_export_to_nowhere_and_a_load_of_a_folder_say_so(memory, tmp_path):
    with pytest.raises(InvalidInputError, match="cannot be written"):
        memory.export(tmp_path / "missing" / "out.jsonl")
    with pytest.raises(InvalidInputError, match="cannot be read"):
        memory.load(tmp_path)


def test_messages_of_other_libraries_go_in(memory):
    results = memory.add(
        [
            {"role": "human", "content": "Where is the harbour?", "id": "m1", "type": "human"},
            {
                "role": "AI",
                "content": [{"type": "text", "text": part} for part in ("Behind the", "station.")],
            },
            {"role": "assistant", "content": None, "tool_calls": [{"id": "call"}], "refusal": None},
            {"type": "ai", "content": "Anything else?"},
            {"type": "message", "content": "No."},
        ],
        user_id="ada",
    )
    assert [result.status for result in results] == ["stored", "stored", "refused", "stored", "stored"]
    stored = memory.get_all(user_id="ada")
    assert [record.origin.role for record in stored] == ["user", "assistant", "assistant", "user"]
    assert stored[1].content == "Behind the\nstation."


@pytest.mark.parametrize("key", ["name", "timestamp", "tag"])
def test_a_filter_by_the_name_of_an_argument_says_which_field_is_meant(memory, key):
    with pytest.raises(InvalidInputError, match=f"metadata.{key}"):
        memory.search("tea", user_id="ada", filters={key: "x"})


def test_what_is_archived_is_not_recalled_but_found_and_brought_back(memory: Memory) -> None:
    kept, old = memory.add(["tea at four", "tea at five"], user_id="ada")

    def found(**options: object) -> list[str]:
        return [hit.memory.content for hit in memory.search("tea at", user_id="ada", **options)]

    assert memory.update(old.id, user_id="ada", labels=Labels(tier="archived")).tier == "archived"
    assert found() == ["tea at four"]
    assert "five" not in memory.context("tea at", user_id="ada").text
    assert found(within=Within(tiers=["archived"])) == ["tea at five"]
    assert sorted(found(within=Within(tiers=["archived", "long-term"]))) == ["tea at five", "tea at four"]
    assert len(memory.get_all(user_id="ada", filters={"tier": "archived"})) == 1
    assert len(memory.get_all(user_id="ada")) == 2
    memory.update(old.id, user_id="ada", labels=Labels(tier="long-term"))
    assert len(found()) == 2
    for wrong in ({"within": Within(tiers="archived")}, {"within": Within(tiers=["attic"])}):
        with pytest.raises(InvalidInputError, match="tier"):
            found(**wrong)
    with pytest.raises(InvalidInputError, match="attic"):
        memory.update(kept.id, user_id="ada", labels=Labels(tier="attic"))
