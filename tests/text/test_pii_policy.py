"""Policies, masks, and Presidio as a recogniser."""

from dataclasses import dataclass, fields

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.errors import InvalidInputError
from recollect.text.pii import KINDS, PiiPolicy, apply, find_pii
from recollect.text.pii.presidio import ENTITIES, PresidioRecogniser
from recollect.text.secrets import mask_secrets

TEXT = (
    "Ada (ada@example.com, +44 20 7946 0321), born 3 May 1990, lives at 42 Maple Street; "
    "card 4242 4242 4242 4242, IBAN DE89 3704 0044 0532 0130 00, SSN 459-45-5156, "
    "from 203.0.113.9, password: hunter2!"
)
MASKED = (
    "Ada ([e-mail address removed], [phone number removed]), born [date of birth removed], lives at "
    "[address removed]; card [payment card removed], IBAN [bank account removed], "
    "SSN [national number removed], from [IP address removed], password: [password removed]"
)


def test_everything_is_masked_by_what_it_was_and_the_words_around_it_stay():
    decision = apply(TEXT, PiiPolicy())
    assert decision.text == MASKED
    assert decision.refused == ()
    assert set(decision.masked) == set(KINDS) - {"person", "other"}


def test_what_is_masked_is_masked_once():
    assert apply(MASKED, PiiPolicy()).text == MASKED


@given(
    st.lists(
        st.sampled_from(
            ["call ", "4155550132 ", "SSN ", "459-45-5156, ", "BSN 111222333 ", "born 3 May 1990 "]
        )
    )
)
def test_masking_leaves_nothing_to_be_found(parts):
    once = apply("".join(parts), PiiPolicy()).text
    assert find_pii(once) == ()


def test_a_kind_that_is_kept_stays_and_is_not_told():
    decision = apply(TEXT, PiiPolicy(default="keep", email="mask"))
    assert decision.text == TEXT.replace("ada@example.com", "[e-mail address removed]")
    assert [span.kind for span in decision.spans] == ["email"]
    assert decision.masked == ("email",)


def test_a_refused_kind_is_told_and_masked_all_the_same():
    decision = apply(TEXT, PiiPolicy(default="keep", iban="refuse", phone="mask"))
    assert decision.refused == ("iban",)
    assert decision.masked == ("phone",)
    assert "[bank account removed]" in decision.text


def test_what_is_kept_does_not_hide_what_is_masked():
    text = "password: 415-555-0132"
    assert apply(text, PiiPolicy(secret="keep")).text == "password: [phone number removed]"


def test_a_text_without_personal_data_stays_as_it_is():
    text = "The shop opens at 9."
    decision = apply(text, PiiPolicy())
    assert (decision.text, decision.spans, decision.masked, decision.refused) == (text, (), (), ())


def test_secrets_are_masked_as_they_always_were():
    text = "password: hunter2! and 4242 4242 4242 4242"
    assert apply(text, PiiPolicy(default="keep", secret="mask", card="mask")).text == mask_secrets(text)[0]


def test_every_kind_has_a_field_and_only_they_have():
    named = {field.name for field in fields(PiiPolicy)}
    assert named == {"default", *KINDS, "region", "recognisers"}


@pytest.mark.parametrize(
    "given_", [{"default": "hide"}, {"default": None}, {"email": "redact"}, {"card": True}]
)
def test_an_action_must_be_one_of_three(given_):
    with pytest.raises(InvalidInputError, match="must be one of keep, mask, refuse"):
        PiiPolicy(**given_)


@dataclass
class RecognizerResult:
    """As Presidio 2.2 gives it, without its explanations."""

    entity_type: str
    start: int
    end: int
    score: float


class AnalyzerEngine:
    """The signature of Presidio 2.2's engine, with fixed answers."""

    def __init__(self, *results: RecognizerResult) -> None:
        self.results = results
        self.asked = []

    def analyze(  # noqa: PLR0917 - as it is there
        self,
        text,
        language,
        entities=None,
        correlation_id=None,
        score_threshold=None,
        return_decision_process=False,
        ad_hoc_recognizers=None,
        context=None,
        allow_list=None,
        allow_list_match="exact",
        regex_flags=None,
        nlp_artifacts=None,
    ):
        self.asked.append((text, language, score_threshold))
        return list(self.results)


def test_what_presidio_finds_becomes_personal_data_of_our_kinds():
    engine = AnalyzerEngine(
        RecognizerResult("PERSON", 0, 3, 0.85), RecognizerResult("LOCATION", 13, 17, 0.85)
    )
    (found,) = find_pii("Ada lives in Rome", recognisers=[PresidioRecogniser(engine, language="en")])
    assert (found.kind, found.text, found.confidence, found.rule) == (
        "person",
        "Ada",
        0.85,
        "Presidio PERSON",
    )
    assert engine.asked == [("Ada lives in Rome", "en", 0.5)]


def test_presidio_masks_with_a_policy_as_the_rules_do():
    engine = AnalyzerEngine(RecognizerResult("PERSON", 0, 3, 0.85))
    decision = apply("Ada is ada@example.com", PiiPolicy(recognisers=[PresidioRecogniser(engine)]))
    assert decision.text == "[name removed] is [e-mail address removed]"


def test_presidio_may_stand_in_for_rules_and_bring_kinds_of_its_own():
    engine = AnalyzerEngine(RecognizerResult("LOCATION", 13, 17, 0.85))
    presidio = PresidioRecogniser(engine, entities={"LOCATION": "address"}, replaces=["address", "email"])
    text = "Ada lives in Rome, ada@example.com"
    assert [span.text for span in find_pii(text, recognisers=[presidio])] == ["Rome"]


def test_presidios_entities_are_ours():
    assert set(ENTITIES.values()) <= set(KINDS)
