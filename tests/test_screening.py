"""Secrets and personal data, on their way into a memory."""

import pytest

from recollect import InvalidInputError, Memory
from recollect.text.pii import PiiPolicy, PiiSpan

MAIL = "write to ada@example.org"
CARD = "my card is 4242 4242 4242 4242"


def opened(**policies):
    return Memory(":memory:", embedder="hashing", **policies)


def stored(memory):
    return [record.content for record in memory.get_all(user_id="ada")]


def test_personal_data_is_left_alone_unless_a_policy_is_given():
    with opened() as memory:
        (result,) = memory.add(MAIL, user_id="ada")
        assert (result.status, stored(memory)) == ("stored", [MAIL])


def test_a_policy_masks_on_write_and_says_so():
    with opened(pii=PiiPolicy()) as memory:
        (result,) = memory.add(MAIL, user_id="ada")
        assert (result.status, result.reason) == ("redacted", "personal data was masked (email)")
        assert stored(memory) == ["write to [e-mail address removed]"]


def test_a_policy_refuses_an_item_and_says_why():
    with opened(pii=PiiPolicy(default="keep", card="refuse")) as memory:
        results = memory.add([CARD, MAIL], user_id="ada")
        assert [result.status for result in results] == ["refused", "stored"]
        assert "card" in results[0].reason
        (alone,) = memory.add(CARD, user_id="ada")
        assert (alone.id, alone.status) == (None, "refused")
        assert stored(memory) == [MAIL]


def test_new_words_of_a_memory_are_screened_too():
    with opened(pii=PiiPolicy(email="mask", phone="refuse", default="keep")) as memory:
        (result,) = memory.add("nothing yet", user_id="ada")
        assert "ada@" not in memory.update(result.id, user_id="ada", content=MAIL).content
        with pytest.raises(InvalidInputError, match="phone"):
            memory.update(result.id, user_id="ada", content="call 415-555-0132")


def test_secrets_and_personal_data_in_one_text_are_both_told():
    with opened(pii=PiiPolicy()) as memory:
        (result,) = memory.add(f"{MAIL}, password: hunter2!x", user_id="ada")
    assert "secret" in result.reason
    assert "email" in result.reason


SECRET = "the password is hunter2!x"


@pytest.mark.parametrize("secrets", ["redact", "refuse", "keep"])
@pytest.mark.parametrize(("kind", "text"), [("card", CARD), ("secret", SECRET)])
def test_a_policy_decides_about_cards_and_secrets_as_about_the_rest(kind, text, secrets):
    def added(**policy):
        with opened(pii=PiiPolicy(**policy), secrets=secrets) as memory:
            (result,) = memory.add(text, user_id="ada")
            return result.status, stored(memory)

    masked = text.replace("4242 4242 4242 4242", "[payment card removed]")
    masked = masked.replace("hunter2!x", "[password removed]")
    assert added(**{kind: "keep"}) == ("stored", [text])
    assert added(default="keep") == ("stored", [text])
    assert added(**{kind: "mask"}) == added(default="mask") == ("redacted", [masked])
    assert added(**{kind: "refuse"}) == added(default="refuse") == ("refused", [])


def test_without_a_policy_secrets_are_masked_as_ever():
    with opened() as memory:
        results = memory.add([CARD, SECRET, MAIL], user_id="ada")
    assert [result.status for result in results] == ["redacted", "redacted", "stored"]


def test_what_was_masked_is_found_by_no_search():
    with opened(pii=PiiPolicy()) as memory:
        memory.add(MAIL, user_id="ada")
        assert all(
            "ada@" not in hit.memory.content for hit in memory.search("ada@example.org", user_id="ada")
        )


def test_a_recogniser_of_ones_own_takes_part():
    class Names:
        replaces = frozenset()

        def find(self, text, *, region):
            at = text.find("Ada")
            if at >= 0:
                yield PiiSpan(kind="person", place=(at, at + 3), text="Ada", confidence=0.9, rule="names")

    with opened(pii=PiiPolicy(recognisers=[Names()])) as memory:
        memory.add("Ada was here", user_id="ada")
        assert stored(memory) == ["[name removed] was here"]


@pytest.mark.parametrize("wrong", ["mask", {"email": "mask"}, PiiPolicy])
def test_what_is_no_policy_is_refused(wrong):
    with pytest.raises(InvalidInputError, match="pii"):
        opened(pii=wrong)
