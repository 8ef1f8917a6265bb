"""Titles and summaries of sessions: by a model where there is one, else in the session's own words."""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import Final

from recollect.errors import MissingExtraError, ModelAnswerError, ModelError
from recollect.ingest.conversations import thread_of
from recollect.learning.by_model.support import names_in
from recollect.learning.extraction.episodes import summarise_episode
from recollect.learning.extraction.facts import Turn
from recollect.learning.recording import turn_of
from recollect.lifecycle.importance import importance_in_chat
from recollect.models.chat import ChatMessage, LanguageModel
from recollect.models.prompts import summary, title
from recollect.models.prompts.turns import ShownTurn
from recollect.protocols import Store
from recollect.text.analyse import Analyser
from recollect.text.quoting import CUT, printable, reads_like_an_instruction, who_said
from recollect.text.secrets import find_secrets, mask_secrets, without_half_mask
from recollect.types import Scope
from recollect.types.filters import parse_filter

MOST_TURNS: Final = 40
"""Last turns that a model is shown; a title needs no more. Chosen by hand."""
TITLE_CHARACTERS: Final = 60
SUMMARY_CHARACTERS: Final = 600
"""The longest title and summary that are taken; a longer one is cut. Chosen by hand."""
_MOST_TOKENS: Final = 400
"""Of an answer; some models think first. Chosen by hand."""
_BY_WORDS: Final = "words/1"
SESSION_STATE: Final = "session "
"""How the names of states begin that keep what the messages of a session cannot tell."""
ENTITLED: Final = "entitled"
"""In such a state: whether the title was made of the session's words, and is made again when they change."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Description:
    """A title or a summary.

    Attributes:
        text: The words; empty when no user said any.
        made_by: The model, or ``words/1`` when it is made of the session's own words.
        prompt_id: The prompt; None without a model.
        because: Why it was no model though there is one; None when there is nothing to say.
    """

    text: str
    made_by: str
    prompt_id: str | None = None
    because: str | None = None


def title_of(turns: Sequence[Turn], *, model: LanguageModel | None, analyser: Analyser) -> Description:
    """A title of a few words, at most 60 characters.

    Without a model, or where it cannot be used, it is what the turns are about by their tags, or how the
    first one begins.

    >>> said = [Turn(text="I finished the data project with pandas today!", speaker="Ada")]
    >>> title_of(said, model=None, analyser=Analyser()).text
    'Data project, finished'
    """

    def by_words() -> str:
        told = summarise_episode(turns, rate=importance_in_chat, analyser=analyser)
        topics = ", ".join((told.topics if told else ())[:2])
        first = next((turn.text for turn in turns if turn.role == "user" and turn.text.strip()), "")
        words = topics or mask_secrets(" ".join(first.split()))[0]
        return words[:1].upper() + words[1:]

    made = _made(turns, model, title.title_messages, title.PROMPT_ID, by_words)
    plain = made.text.strip(" \"'*#.\u201c\u201d") if made.prompt_id else made.text
    return Description(
        text=_cut(plain, TITLE_CHARACTERS),
        made_by=made.made_by,
        prompt_id=made.prompt_id,
        because=made.because,
    )


def summary_of(turns: Sequence[Turn], *, model: LanguageModel | None, analyser: Analyser) -> Description:
    """One to three sentences; without a model the most telling sentence, word for word."""

    def by_words() -> str:
        told = summarise_episode(turns, rate=importance_in_chat, analyser=analyser)
        return told.summary if told else ""

    made = _made(turns, model, summary.summary_messages, summary.PROMPT_ID, by_words)
    return Description(
        text=_cut(made.text, SUMMARY_CHARACTERS),
        made_by=made.made_by,
        prompt_id=made.prompt_id,
        because=made.because,
    )


def _made(
    turns: Sequence[Turn],
    model: LanguageModel | None,
    prompt: Callable[[Sequence[ShownTurn]], list[ChatMessage]],
    prompt_id: str,
    by_words: Callable[[], str],
) -> Description:
    people = any(turn.role == "user" and turn.text.strip() for turn in turns)
    if model is None or not people:
        return Description(text=by_words(), made_by=_BY_WORDS)
    shown = turns[-MOST_TURNS:]
    try:
        asked = prompt([ShownTurn(who_said(turn.speaker, turn.role), turn.text) for turn in shown])
        said = model.complete(asked, max_tokens=_MOST_TOKENS).text.rpartition("</think>")[2]
        text = " ".join(printable(" ".join(said.split())).split())
        _check(text, shown)
    except (ModelError, MissingExtraError) as error:
        return Description(text=by_words(), made_by=_BY_WORDS, because=f"{type(error).__name__}: {error}")
    return Description(text=text, made_by=model.name, prompt_id=prompt_id)


def _check(text: str, turns: Sequence[Turn]) -> None:
    """Refuse what must not be shown again, and what was not said: names and numbers of the model's own."""
    said = "\n".join(f"{turn.speaker or turn.role}: {turn.text}" for turn in turns).casefold()
    if not text:
        raise ModelAnswerError("the model gave an empty answer")
    if reads_like_an_instruction(text):
        raise ModelAnswerError("the model's words read like an instruction")
    if next(iter(find_secrets(text)), None) is not None:
        raise ModelAnswerError("the model's words contain a secret")
    numbers = [name for name in names_in(text) if name[0].isdigit()]
    if any(number not in said for number in numbers):
        raise ModelAnswerError("the model names a number that was not said")


def _cut(text: str, most: int) -> str:
    if len(text) <= most:
        return text
    kept = text[: most - len(CUT)]
    return without_half_mask(kept.rpartition(" ")[0] or kept).rstrip(" ,;:") + CUT


def session_state(scope: Scope) -> str:
    """The name of the state that keeps what the messages of a session cannot tell."""
    return f"{SESSION_STATE}{blake2b(thread_of(scope).encode(), digest_size=8).hexdigest()}"


def retitle(store: Store, scope: Scope, *, analyser: Analyser) -> None:
    """Make the title of a session again from its current messages; one that a person gave stays."""
    user = Scope(user_id=scope.user_id)

    def titled(kept: str | None) -> str | None:
        told = json.loads(kept or "{}")
        if not told.get(ENTITLED):
            return kept
        title = title_of(turns_of(store, scope), model=None, analyser=analyser).text
        told.pop("title", None)
        return json.dumps(told | ({"title": title} if title else {}))

    if store.state(user, session_state(scope)) is not None:
        store.change_state(user, session_state(scope), titled)


def turns_of(store: Store, scope: Scope) -> list[Turn]:
    """The messages of a session as they were said."""
    where = parse_filter({"thread": thread_of(scope), "kind": "message"})
    found = sorted(store.find(Scope(user_id=scope.user_id), where), key=lambda record: record.origin.turn)
    return [turn_of(one) for one in found]
