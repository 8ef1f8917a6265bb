"""``memory.agenda``: what to bring up now, what was brought up, what never again, and answers."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Final

from recollect.checks import (
    check_content,
    check_count,
    check_id,
    check_one_or_more,
    check_time,
    check_within,
    if_given,
)
from recollect.errors import InvalidInputError, NotFoundError, as_given
from recollect.ingest.messages import Defaults, read_messages
from recollect.learning.agenda.agenda import agenda_of, to_raise
from recollect.learning.agenda.birthdays import ASKED, may_tell_a_day
from recollect.learning.agenda.doubts import used_often
from recollect.learning.agenda.items import AgendaItem
from recollect.learning.agenda.material import AgendaMaterial, read_material
from recollect.learning.agenda.state import AgendaLog, raised_on
from recollect.learning.extraction.facts import EXPLICIT, HEDGED
from recollect.learning.forget_requests import ForgetLog
from recollect.memory.adding import store_items
from recollect.memory.facts import Facts
from recollect.memory.parts import Parts
from recollect.retrieval.request import read_request
from recollect.types import Labels, MemoryRecord, Scope, Within
from recollect.types.filters import EVERYTHING, AllOf, Filter, Test, parse_filter
from recollect.types.guesses import corrects_guesses
from recollect.types.spaces import SPACE

A_DAY: Final = 3
"""Items brought up a day. Chosen by hand."""
_MOST_READ: Final = 2_000
"""Messages read, the latest. Chosen by hand."""
_OF_DAYS: Final = 200
"""Messages looked at for birthdays, and for deaths, the best found. Chosen by hand."""
_WINDOW: Final = timedelta(days=180)
"""How far back messages are read; plans of before are known by their facts. Chosen by hand."""
_LIVE: Final = parse_filter({"tier": {"ne": "archived"}})
_FACTS: Final = parse_filter({"kind": "fact"})
_MESSAGES: Final = parse_filter({"kind": "message"})
_DEFAULTS: Final = Defaults(
    kind="message", metadata={}, timestamp=None, valid_until=None, idempotency_key=None
)
BOTH: Final = "both"
"""Answers a conflict whose facts both hold."""


@corrects_guesses
class Agenda:
    """What an assistant may bring up by itself; see ``Memory.agenda``. Nothing of it is in any context."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts

    def items(
        self,
        *,
        user_id: str,
        agent_id: str | None = None,
        within: Within | None = None,
        limit: int = A_DAY,
    ) -> list[AgendaItem]:
        """What to bring up now, most pressing first. It changes nothing: see ``mention`` and ``dismiss``.

        ============ ==================================================================================
        kind         brought up
        ============ ==================================================================================
        ``task``     the day before, on the day and up to 14 days after; without a day 3 to 60 days later
        ``promise``  likewise, the user's own and those made to the user
        ``plan``     the day before, on the day, and up to 14 days after while nobody told how it went
        ``birthday`` the day before and on the day; wedding anniversaries, too; never of the dead
        ``question`` half an hour to 14 days after it was asked and not answered
        ``conflict`` while two facts contradict each other and nobody decided
        ``unknown``  up to 60 days after it was asked a second time and nobody knew it
        ``doubt``    while a fact of low confidence, or one that time made doubtful, was used three times or
                     more
        ============ ==================================================================================

        Of the last three there is one at most. Nothing comes from messages that ask for confidence, nor
        from quotations, jokes, stories and conditions. They are read in English.

        Args:
            user_id: Whose.
            agent_id: Only from this agent's conversations.
            within: As in ``Memory.search``; ``as_of`` is the moment in place of now.
            limit: How many at most on one day; those that were mentioned today count.

        Raises:
            InvalidInputError: An argument cannot be used.
        """
        most = check_count("limit", limit, most=1_000)
        scope = self._scope(user_id, agent_id)
        marks = AgendaLog(self._parts.store, scope).marks()
        today = self._parts.clock().astimezone(self._parts.timezone).date()
        left = most - raised_on(marks.values(), today, timezone=self._parts.timezone)
        if left <= 0:
            return []
        as_of = None if within is None else check_within(within).as_of
        now = if_given(check_time, "as_of", as_of) or self._parts.clock()
        material = self._material(scope, self._parts.seen(scope, within), now=now)
        return to_raise(agenda_of(material), marks)[:left]

    def mention(self, item_ids: str | Sequence[str], *, user_id: str) -> None:
        """Remember that items were brought up: not again before their next occasion.

        Args:
            item_ids: ``AgendaItem.id``, or a list of them.
            user_id: Whose.

        Raises:
            NotFoundError: This user has no such item now; nothing was remembered.
        """
        scope, found = self._named(item_ids, user_id)
        AgendaLog(self._parts.store, scope).raise_(found, at=self._parts.clock())

    def dismiss(self, item_ids: str | Sequence[str], *, user_id: str) -> None:
        """Never bring items up again.

        Args:
            item_ids: ``AgendaItem.id``, or a list of them.
            user_id: Whose.

        Raises:
            NotFoundError: This user has no such item now; nothing was remembered.
        """
        scope, found = self._named(item_ids, user_id)
        AgendaLog(self._parts.store, scope).dismiss(found)

    def answer(self, item_id: str, answer: str, *, user_id: str) -> None:
        """Apply what the user answered to an item, and bring it up no more.

        A conflict is decided as ``Facts.resolve`` does; a doubtful fact is sure from then on, or ends;
        else the question and its answer are stored as messages, from which facts are learned.

        Args:
            item_id: ``AgendaItem.id``.
            answer: Of a conflict the id of the fact that is true, or ``both``; of a doubt ``yes`` or ``no``;
                else any words.
            user_id: Whose.

        Raises:
            NotFoundError: This user has no such item now; nothing was changed.
            InvalidInputError: The answer is none of a conflict's.
        """
        words = check_content("answer", answer)
        scope, (item,) = self._named([check_id("item_id", item_id)], user_id)
        if item.kind == "conflict":
            self._decide(item, words, user_id)
        elif item.kind == "doubt" and words.strip().lower() in {"yes", "no"}:
            self._settle(item.sources[0], user_id, sure=words.strip().lower() == "yes")
        else:
            said = [{"role": "assistant", "content": item.text}, {"role": "user", "content": words}]
            store_items(self._parts, scope, read_messages(said, _DEFAULTS, screen=self._parts.screen))
        AgendaLog(self._parts.store, scope).dismiss([item])

    def _decide(self, item: AgendaItem, keep: str, user_id: str) -> None:
        known, new = item.sources[:2]
        if keep not in {known, new, BOTH}:
            raise InvalidInputError(
                f"answer must be {known!r}, {new!r} or {BOTH!r}, not {as_given(keep)}; see sources"
            )
        drop = None if keep == BOTH else (new if keep == known else known)
        Facts(self._parts).resolve(new if keep == BOTH else keep, drop, user_id=user_id)

    def _settle(self, fact_id: str, user_id: str, *, sure: bool) -> None:
        from recollect.memory.changes.edit import update

        if sure:
            fact, now = self._parts.get(fact_id, user_id=user_id), self._parts.clock()
            update(
                self._parts,
                fact_id,
                user_id=user_id,
                labels=Labels(confidence=max(EXPLICIT, fact.worth.confidence)),
                metadata={**fact.metadata, "repeated_at": now.isoformat()},
                reason="confirmed",
            )
        else:
            update(self._parts, fact_id, user_id=user_id, valid_until=self._parts.clock(), reason="denied")

    def _scope(self, user_id: str, agent_id: str | None = None) -> Scope:
        scope = self._parts.scope(user_id, agent_id)
        if scope.user_id.startswith(SPACE):
            raise InvalidInputError("a team space has no agenda: it is of one person")
        return scope

    def _named(self, item_ids: str | Sequence[str], user_id: str) -> tuple[Scope, list[AgendaItem]]:
        scope, wanted = self._scope(user_id), check_one_or_more("item_ids", item_ids)
        known = {one.id: one for one in agenda_of(self._material(scope, EVERYTHING, now=self._parts.clock()))}
        if missing := [one for one in wanted if one not in known]:
            raise NotFoundError(f"no item {as_given(missing[0])} on this user's agenda now")
        return scope, [known[one] for one in wanted]

    def _material(self, scope: Scope, where: Filter, *, now: datetime) -> AgendaMaterial:
        store = self._parts.store
        where = AllOf((_LIVE, where))
        since = Test("happened_at", in_metadata=False, operator="gte", value=now - _WINDOW)
        facts = store.find(scope, AllOf((_FACTS, where)))
        cited = (one for fact in facts for one in fact.origin.sources if _is_cited(fact))
        sources = store.get(scope, list(dict.fromkeys(cited)))
        return read_material(
            now=now,
            timezone=self._parts.timezone,
            stems=self._parts.analyser.query_stems,
            messages=self._messages(scope, AllOf((where, since))),
            earlier=[*self._telling_of_days(scope, where), *(one for one in sources if one)],
            facts=facts,
            conflicts=self._parts.learner.keeper.conflicts(scope, where=where),
            unclear=ForgetLog(store, scope).unclear(),
        )

    def _telling_of_days(self, scope: Scope, where: Filter) -> list[MemoryRecord]:
        """Messages that may tell of birthdays and deaths, however long ago they were said."""
        seen, now = self._parts.projects.seen_by(scope), self._parts.clock()
        asked = read_request("birthday", now=now, seen=seen, kinds=["message"], top_k=_OF_DAYS)
        request = replace(asked, where=where)
        hits = [
            hit for words in ASKED for hit in self._parts.recall.search(scope, replace(request, query=words))
        ]
        return [hit.memory for hit in hits if may_tell_a_day(hit.memory.content)]

    def _messages(self, scope: Scope, where: Filter) -> list[MemoryRecord]:
        return self._parts.store.find(scope, AllOf((_MESSAGES, where)), limit=_MOST_READ, newest_first=True)


def _is_cited(fact: MemoryRecord) -> bool:
    """Whether the words of a fact's messages are looked at."""
    return fact.labels.category == "plan" or fact.worth.confidence <= HEDGED or used_often(fact)
