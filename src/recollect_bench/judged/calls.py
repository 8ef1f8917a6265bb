"""Calls of models, each kept when it is answered, so that nothing is asked and paid for twice."""

import hashlib
import json
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from typing import Any, Final

from recollect.errors import ModelAnswerError, ModelError
from recollect.models import ChatMessage, LanguageModel, Usage, parse_json
from recollect.types import JSON
from recollect_bench.journal import Journal

MOST_TOKENS: Final = 2_000
"""Of an answer, a model's thoughts included. Chosen by hand."""
PATIENCE: Final = 10
"""Answers in a row that cannot be read, after which a model is asked no more. Chosen by hand."""
_TOLD_EVERY: Final = 50
"""Answers between two reports. Chosen by hand."""
_FIELDS: Final = ("call", "model", "prompt", "said", "unread", "input_tokens", "output_tokens", "day")
_Reply = tuple[dict[str, Any], ModelError | None]
"""What the journal keeps of a call, and why its answer cannot be read, if it cannot."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Template:
    """A prompt before its data are filled in.

    Attributes:
        id: Its name and version; a change of its words raises the version.
        system: What the model is told.
        layout: The message with the data, which stand in its ``{fields}``.
        field: What is read of the JSON that the model answers.
        allowed: The values that the field may have; any text but a blank one when empty.
        schema: What the answer looks like.
    """

    id: str
    system: str
    layout: str
    field: str
    allowed: tuple[str, ...]
    schema: Mapping[str, JSON]

    @property
    def digest(self) -> str:
        """Twelve digits that change with every word of it."""
        words = json.dumps([self.system, self.layout, self.field, self.allowed, self.schema])
        return hashlib.sha256(words.encode()).hexdigest()[:12]

    def read(self, said: str) -> str:
        """What a model's answer says.

        Raises:
            ModelAnswerError: It is not what was asked for.
        """
        found = parse_json(said)
        value = found.get(self.field) if isinstance(found, dict) else None
        if not isinstance(value, str) or not value.strip() or (self.allowed and value not in self.allowed):
            raise ModelAnswerError(f"the model's answer has no {self.field} that can be read")
        return value.strip()


@dataclass(frozen=True, slots=True, kw_only=True)
class Prompt:
    """A template with its data: ``page`` is the filled layout."""

    template: Template
    page: str

    @property
    def messages(self) -> tuple[ChatMessage, ChatMessage]:
        """What is sent."""
        return (
            ChatMessage(role="system", content=self.template.system),
            ChatMessage(role="user", content=self.page),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class ServedModel:
    """A model that is asked: its name and its server's address, as results show them."""

    name: str
    server: str
    model: LanguageModel

    def key(self, prompt: Prompt) -> str:
        """What stands for a call in the journal: the same model asked the same has the same."""
        template = prompt.template
        asked = json.dumps([self.name, self.server, template.id, template.digest, prompt.page])
        return hashlib.sha256(asked.encode()).hexdigest()[:32]


class Calls:
    """What models answered so far.

    Args:
        path: The journal.

    Raises:
        SystemFailedError: Another run keeps the same journal.
    """

    def __init__(self, path: Path) -> None:
        self._journal = Journal(path, made_of={"holds": "calls of models"}, fresh=False, fields=_FIELDS)

    def close(self) -> None:
        """Let another run go on."""
        self._journal.close()

    def read(self, model: ServedModel, prompt: Prompt) -> str | None:
        """What a model answered; None when it was not asked, or its answer could not be read."""
        row = self._journal.done.get(model.key(prompt))
        return None if row is None or row["unread"] else prompt.template.read(row["said"])

    def missing(self, model: ServedModel, prompts: Iterable[Prompt]) -> list[Prompt]:
        """Those that have no answer yet that could be read, each once."""
        each = {model.key(prompt): prompt for prompt in prompts}
        return [prompt for prompt in each.values() if self.read(model, prompt) is None]

    def kept(self, model: ServedModel, prompts: Iterable[Prompt]) -> list[Mapping[str, Any]]:
        """What the journal has of some prompts, each once."""
        keys = dict.fromkeys(map(model.key, prompts))
        return [self._journal.done[key] for key in keys if key in self._journal.done]

    def ask(
        self, model: ServedModel, prompts: Sequence[Prompt], *, parallel: int, report: Callable[[str], None]
    ) -> None:
        """Ask what is missing, and keep each answer as it comes; those that cannot be read, with the reason.

        Args:
            model: Who is asked.
            prompts: What; some may have answers already.
            parallel: How many are asked at a time.
            report: Told now and then how far it is.

        Raises:
            ModelError: The model failed before it ever answered, or ``PATIENCE`` times in a row.
        """
        missing = self.missing(model, prompts)
        heard = any(row["model"] == model.name and not row["unread"] for row in self._journal.done.values())
        in_a_row = 0
        with closing(_replies(model, missing, parallel=parallel)) as replies:
            for count, (row, error) in enumerate(replies, 1):
                if error and not heard and not isinstance(error, ModelAnswerError):
                    raise error
                self._journal.keep(row)
                heard, in_a_row = heard or not error, in_a_row + 1 if error else 0
                if in_a_row == PATIENCE:
                    raise ModelError(f"{PATIENCE} answers in a row could not be read; the last: {error}")
                if count % _TOLD_EVERY == 0 or count == len(missing):
                    report(f"{model.name}, {row['prompt']}: {count:,} of {len(missing):,}")


def _replies(
    model: ServedModel, prompts: Sequence[Prompt], *, parallel: int
) -> Generator[_Reply, None, None]:
    """Replies as they come; nothing is asked before the ones that came were taken."""
    left = iter(prompts)
    with ThreadPoolExecutor(parallel) as pool:
        running = {pool.submit(_reply, model, prompt) for prompt in islice(left, parallel)}
        while running:
            done, running = wait(running, return_when=FIRST_COMPLETED)
            for one in done:
                yield one.result()
            running |= {pool.submit(_reply, model, prompt) for prompt in islice(left, len(done))}


def _reply(model: ServedModel, prompt: Prompt) -> _Reply:
    said, used, failed = "", Usage(), None
    try:
        answer = model.model.complete(
            prompt.messages, max_tokens=MOST_TOKENS, json_schema=prompt.template.schema
        )
        said, used = answer.text, answer.usage
        prompt.template.read(said)
    except ModelError as error:
        failed = error
    row = {
        "call": model.key(prompt),
        "model": model.name,
        "prompt": prompt.template.id,
        "said": said,
        "unread": str(failed or ""),
        "input_tokens": used.input_tokens,
        "output_tokens": used.output_tokens,
        "day": datetime.now(UTC).strftime("%Y-%m-%d"),
    }
    return row, failed
