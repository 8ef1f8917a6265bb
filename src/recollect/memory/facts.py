"""``memory.facts``: what is known and why, conflicts, decisions about statements, what learning did."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from recollect.checks import check_count, check_id, check_ids, check_limit, check_name, if_given
from recollect.errors import InvalidInputError, as_given
from recollect.learning.admission import ADMISSIONS, Admission, AdmissionDecision
from recollect.learning.admission_log import AdmissionLog, newest_first
from recollect.learning.outcomes import Conflict
from recollect.learning.recording import contradicted_by
from recollect.learning.records import LearningRecord, LearningRecords
from recollect.memory.parts import Parts, existing
from recollect.retrieval.request import read_conditions, read_request
from recollect.types import MemoryRecord, Within
from recollect.types.guesses import corrects_guesses

if TYPE_CHECKING:
    from recollect.memory.telling import MemoryAnswer


@corrects_guesses
class Facts:
    """Facts that were learned; see ``Memory.facts``. ``Memory.profile`` lists them."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts

    def answer(
        self,
        message: str,
        *,
        user_id: str,
        agent_id: str | None = None,
        session_id: str | None = None,
        within: Within | None = None,
        budget_tokens: int = 1_500,
    ) -> "MemoryAnswer | None":
        """Answer a question about the memory itself, or for a time, in sentences and without a model.

        ============================================ =========================================================
        question                                     answer
        ============================================ =========================================================
        "What do you know about me?"                 the facts by category, with days; what is undecided
        "What have I told you about my sister?"      the facts and messages about her; what no longer holds
        "Why do you think I'm vegetarian?"           the fact, its words, what it replaced, how sure it is
        "Where did you get that from?"               the same of the last answer of the session
        "How long did I live in Lisbon?"             what follows from the times of what was said
        ============================================ =========================================================

        They are recognised in English, German, French and Spanish, questions for a time in English; the
        sentences are English, as facts are.

        Args:
            message: What the user asks.
            user_id: The user.
            agent_id: Only what this agent's conversations say.
            session_id: Only what was said in this session. Without one the last answer is that of the last
                half hour.
            within: As in ``Memory.search``.
            budget_tokens: The most the answer may have.

        Returns:
            The answer; None where the message asks something else.

        Raises:
            InvalidInputError: An argument cannot be used.
        """
        from recollect.memory.answering import answer_of

        budget = check_count("budget_tokens", budget_tokens, most=10_000_000)
        scope = self._parts.scope(user_id, agent_id, session_id)
        request = read_request(
            message, now=self._parts.clock(), seen=self._parts.projects.seen_by(scope), within=within
        )
        return answer_of(self._parts, scope, request, budget_tokens=budget, session_id=session_id, last=True)

    def conflicts(
        self,
        *,
        user_id: str,
        within: Within | None = None,
        after: str | None = None,
        limit: int | None = None,
    ) -> list[Conflict]:
        """Facts that contradict each other and wait for a person's decision, see ``resolve``.

        They are ordered by the id of the newer fact.

        Args:
            user_id: Whose.
            within: Only between facts that are both in there.
            after: Only those whose newer fact comes after this id: that of the last one of the page before.
            limit: How many at most; None for all. Those of the last newer fact come together.
        """
        start, most = if_given(check_id, "after", after), check_limit(limit)
        scope = self._parts.scope(user_id)
        where = read_conditions(None, None, within, seen=self._parts.projects.seen_by(scope))
        return self._parts.learner.keeper.conflicts(scope, where=where, after=start, limit=most)

    def resolve(self, keep: str, drop: str | None = None, *, user_id: str, reason: str | None = None) -> None:
        """Decide a conflict between two facts. The dropped one keeps its history, and can be undone.

        Args:
            keep: The fact that holds.
            drop: The one that does not; None when both hold, whichever of them ``keep`` is.
            user_id: Whose.
            reason: Why, for the history.

        Raises:
            NotFoundError: This user has no memory with one of the ids; nothing was changed.
            InvalidInputError: One is no fact, they do not contradict each other, or nothing is contradicted.
        """
        scope = self._parts.scope(user_id)
        ids = [check_id("keep", keep), *([] if drop is None else [check_id("drop", drop)])]
        records = self._parts.store.get(scope, ids)
        found = [existing(one, wanted) for one, wanted in zip(records, ids, strict=True)]
        for record in found:
            if record.kind != "fact":
                raise InvalidInputError(f"the memory {record.id!r} is a {record.kind}, not a fact")
        if len(found) > 1 and not _in_conflict(*found):
            raise InvalidInputError(f"the facts {keep!r} and {drop!r} do not contradict each other")
        dropped = found[1] if drop is not None else None
        why = check_name("reason", reason)
        self._parts.learner.keeper.resolve(scope, found[0], dropped, reason=why)

    def reopen(self, ids: Sequence[str], *, user_id: str, reason: str | None = None) -> int:
        """Take decisions of ``resolve`` back: the facts hold again and wait as a conflict.

        Args:
            ids: The facts of the conflict.
            user_id: Whose.
            reason: Why, for the history.

        Returns:
            About how many of them a decision was taken back.

        Raises:
            NotFoundError: This user has no memory with one of the ids; nothing was changed.
        """
        scope = self._parts.scope(user_id)
        wanted = check_ids("ids", ids)
        records = self._parts.store.get(scope, wanted)
        found = [existing(one, id_) for one, id_ in zip(records, wanted, strict=True)]
        return self._parts.learner.keeper.reopen(scope, found, reason=check_name("reason", reason))

    def decisions(
        self, *, user_id: str, admission: Admission | None = None, limit: int | None = None
    ) -> list[AdmissionDecision]:
        """What was decided about statements that might become facts, and why; the latest first.

        Decisions are made where a memory is opened with an ``AdmissionPolicy``; the last 500 are kept.

        Args:
            user_id: Whose.
            admission: Only ``stored``, ``merged``, ``contested`` or ``refused``.
            limit: How many at most; None for all.
        """
        if admission is not None and admission not in ADMISSIONS:
            raise InvalidInputError(
                f"admission {as_given(admission)} is unknown; known are {', '.join(ADMISSIONS)}"
            )
        most = check_limit(limit)
        made = AdmissionLog(self._parts.store, self._parts.scope(user_id)).all()
        return newest_first(made, admission=admission, limit=most)

    def learned(self, *, user_id: str) -> list[LearningRecord]:
        """What the last jobs of learning did for a user, oldest first, at most 50.

        Each tells how facts were found, what came of it, which answers of a model were refused and why, and
        what it cost. They hold no words.
        """
        return LearningRecords(self._parts.store, self._parts.scope(user_id)).all()


def _in_conflict(one: MemoryRecord, other: MemoryRecord) -> bool:
    return other.id in contradicted_by(one) or one.id in contradicted_by(other)
