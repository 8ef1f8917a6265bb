"""Which model does what: a model for each task, changed while the program runs, every call recorded."""

import threading
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from enum import StrEnum
from functools import partial
from typing import Final, NamedTuple, TypeAlias

from recollect.checks import check_count, check_seconds
from recollect.errors import InvalidInputError, ModelError, as_given
from recollect.models.asking import check_settings
from recollect.models.chat import ChatMessage, Completion, LanguageModel, Usage
from recollect.models.usage import MOST_BUDGET, Costs, Price, refuse_when_spent, sum_of
from recollect.text.tokens import estimate_tokens
from recollect.types import JSON

OLLAMA: Final = "http://localhost:11434/v1"
"""Where Ollama listens, with the path under which it speaks OpenAI's protocol."""
_REMEMBERED: Final = 1_000
"""Calls that are remembered one by one; older ones count in ``usage`` alone. Chosen by hand."""


class ModelTask(StrEnum):
    """Second Brain's tasks for models; each is also the plain text of its value."""

    CHAT = "chat"
    MEMORY_EXTRACTION = "memory_extraction"
    SUMMARIZATION = "summarization"
    TITLE_GENERATION = "title_generation"


DEFAULT_MODELS: Final[Mapping[ModelTask, str]] = {
    ModelTask.CHAT: "llama3.2",
    ModelTask.MEMORY_EXTRACTION: "llama3.1:8b",
    ModelTask.SUMMARIZATION: "llama3.2",
    ModelTask.TITLE_GENERATION: "llama3.2",
}
"""Second Brain's models, as Ollama names them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Route:
    """A model at a server.

    Attributes:
        model: The model's name at the server.
        base_url: The server, with its ``/v1``; None is OpenAI, or what ``OPENAI_BASE_URL`` names.
        api_key: The key; see ``OpenAIModel``.
        price: What its tokens cost; without it no dollars are counted.

    Raises:
        InvalidInputError: The name is blank, or the address is not a URL.
    """

    model: str
    base_url: str | None = OLLAMA
    api_key: str | None = field(default=None, repr=False)
    price: Price | None = None

    def __post_init__(self) -> None:
        check_settings(model=self.model, base_url=self.base_url, timeout_s=1, retries=0, temperature=None)


Doer: TypeAlias = str | Route | LanguageModel | None
"""The model of a task: a name at the router's server, a ``Route`` elsewhere, a model object, or None."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelCall:
    """A call of a model that was answered, or whose answer was lost on the way."""

    task: ModelTask
    model: str
    at: datetime
    usage: Usage


class _Opened(NamedTuple):
    """A model that is ready, and whether it reports its usage."""

    model: LanguageModel
    tells: bool


class ModelRouter:
    """Second Brain's Model Manager: tasks to models and their servers.

    Nothing is opened or sent before a task is done. May be used from several threads at once.

    Args:
        models: Who does which task; a task that is not named is done by Second Brain's model for it, at
            ``base_url``. None leaves a task undone: whatever asks for it then does without a model.
        base_url: The server of models that are given by name.
        api_key: Its key, if it wants one.
        budget_tokens: From how many tokens on, of all tasks together, calls are refused.
        budget_usd: The same in US dollars; only routes with a price count.
        open_route: What makes a model of a route, given what it calls with each use; for tests.
        clock: What time it is.

    Raises:
        InvalidInputError: A task or a setting is unknown or cannot be used.

    >>> router = ModelRouter({"chat": "llama3.1:70b", "title_generation": None})
    >>> router.routes()["chat"], router.routes()["memory_extraction"], router.routes()["title_generation"]
    ('openai:llama3.1:70b', 'openai:llama3.1:8b', None)
    """

    def __init__(
        self,
        models: Mapping[str, Doer] | None = None,
        *,
        base_url: str | None = OLLAMA,
        api_key: str | None = None,
        budget_tokens: int | None = None,
        budget_usd: float | None = None,
        open_route: "Callable[[Route, Callable[[Usage], None]], LanguageModel] | None" = None,
        clock: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        if budget_tokens is not None:
            check_count("budget_tokens", budget_tokens, most=MOST_BUDGET)
        if budget_usd is not None:
            check_seconds("budget_usd", budget_usd)
        self._base_url, self._api_key = base_url, api_key
        self._budget_tokens, self._budget_usd = budget_tokens, budget_usd
        self._open_route = open_route or _open_route
        self._clock = clock
        given = {task_of(task): doer for task, doer in (models or {}).items()}
        self._doers = {task: self._checked(given.get(task, name)) for task, name in DEFAULT_MODELS.items()}
        self._overrides: dict[ModelTask, Route | LanguageModel | None] = {}
        self._opened: dict[tuple[ModelTask, Route], LanguageModel] = {}
        self._calls: deque[ModelCall] = deque(maxlen=_REMEMBERED)
        self._totals: dict[ModelTask, Usage] = {}
        self._lock = threading.RLock()

    def __repr__(self) -> str:
        return f"ModelRouter({ ({str(task): name for task, name in self.routes().items()})!r})"

    def model(self, task: str) -> LanguageModel | None:
        """The model of a task, now and after every override; None if there is none."""
        wanted = task_of(task)
        return None if self._doer(wanted) is None else _Routed(self, wanted)

    def routes(self) -> dict[ModelTask, str | None]:
        """The names of the models of the tasks; None for a task without one."""
        return {task: _name_of(self._doer(task)) for task in ModelTask}

    def override(self, task: str, model: Doer, *, base_url: str | None = None) -> None:
        """Use another model for a task from the next call on.

        Args:
            task: Which.
            model: As in ``ModelRouter``; a name is one of the task's own server.
            base_url: Another server for a model given by its name.

        Raises:
            InvalidInputError: The task is unknown, or the model cannot be used; nothing changed.
        """
        wanted = task_of(task)
        with self._lock:
            self._overrides[wanted] = self._checked(model, like=self._doers[wanted], base_url=base_url)

    def clear_override(self, task: str | None = None) -> None:
        """Go back to what the router was made with, for one task or for all."""
        with self._lock:
            for one in ModelTask if task is None else [task_of(task)]:
                self._overrides.pop(one, None)

    def calls(self, task: str | None = None) -> list[ModelCall]:
        """The last calls, at most 1,000, oldest first."""
        wanted = None if task is None else task_of(task)
        with self._lock:
            return [call for call in self._calls if wanted in (None, call.task)]

    def usage(self, task: str | None = None) -> Usage:
        """What all calls used since the beginning or the last ``reset_usage``, for one task or for all."""
        with self._lock:
            totals = self._totals
            return sum_of(totals.values()) if task is None else totals.get(task_of(task), Usage())

    def reset_usage(self) -> Usage:
        """Count from zero again; the budget starts again, and no call is remembered.

        Returns:
            What was counted until now.
        """
        with self._lock:
            total = sum_of(self._totals.values())
            self._totals.clear()
            self._calls.clear()
        return total

    def close(self) -> None:
        """Close the connections it opened; models that were given stay open. It may be used again."""
        with self._lock:
            opened, self._opened = self._opened, {}
        from recollect.models.openai import OpenAIModel

        for model in opened.values():
            if isinstance(model, OpenAIModel):
                model.close()

    def opened(self, task: ModelTask) -> _Opened:
        """The model of a task, ready to be asked.

        Raises:
            BudgetExceededError: The budget is spent.
            ModelError: The task has no model any more.
            MissingExtraError: The client for servers is not installed.
        """
        refuse_when_spent(self.usage(), budget_usd=self._budget_usd, budget_tokens=self._budget_tokens)
        with self._lock:
            doer = self._doer(task)
            if doer is None:
                raise ModelError(f"no model does the task {task.value!r} any more")
            if not isinstance(doer, Route):
                return _Opened(doer, tells=False)
            key = (task, doer)
            if key not in self._opened:
                self._opened[key] = self._open_route(doer, partial(self.count, task, _name_of(doer) or ""))
            return _Opened(self._opened[key], tells=True)

    def count(self, task: ModelTask, model: str, usage: Usage) -> None:
        """Record a call."""
        call = ModelCall(task=task, model=model, at=self._clock(), usage=usage)
        with self._lock:
            self._calls.append(call)
            self._totals[task] = sum_of([self._totals.get(task, Usage()), usage])

    def _doer(self, task: ModelTask) -> Route | LanguageModel | None:
        with self._lock:
            return self._overrides[task] if task in self._overrides else self._doers[task]

    def _checked(
        self, doer: Doer, *, like: Route | LanguageModel | None = None, base_url: str | None = None
    ) -> Route | LanguageModel | None:
        if doer is None or isinstance(doer, Route):
            return doer
        if isinstance(doer, str):
            if base_url is not None:
                return Route(model=doer, base_url=base_url)
            same = like if isinstance(like, Route) else None
            where = (self._base_url, self._api_key) if same is None else (same.base_url, same.api_key)
            return Route(model=doer, base_url=where[0], api_key=where[1])
        if isinstance(doer, type) or not isinstance(doer, LanguageModel):
            raise InvalidInputError(
                f"a task takes the name of a model, a Route, a LanguageModel or None, not {as_given(doer)}"
            )
        return doer


class _Routed:
    """The model of a task, whichever it is when it is asked."""

    def __init__(self, router: ModelRouter, task: ModelTask) -> None:
        self._router, self._task = router, task

    @property
    def name(self) -> str:
        """The name of the model that would be asked now."""
        return self._router.routes()[self._task] or "none"

    def complete(
        self,
        messages: Sequence[ChatMessage],
        *,
        max_tokens: int | None = None,
        json_schema: Mapping[str, JSON] | None = None,
    ) -> Completion:
        """See ``LanguageModel.complete``."""
        model, tells = self._router.opened(self._task)
        answer = model.complete(messages, max_tokens=max_tokens, json_schema=json_schema)
        if not tells:
            self._router.count(self._task, model.name, answer.usage)
        return answer

    def stream(self, messages: Sequence[ChatMessage], *, max_tokens: int | None = None) -> Iterator[str]:
        """See ``LanguageModel.stream``; what a model of yours streams is counted by an estimate."""
        model, tells = self._router.opened(self._task)
        pieces = model.stream(messages, max_tokens=max_tokens)
        return pieces if tells else self._counted(pieces, messages, model.name)

    def _counted(self, pieces: Iterator[str], messages: Sequence[ChatMessage], name: str) -> Iterator[str]:
        said: list[str] = []
        try:
            for piece in pieces:
                said.append(piece)
                yield piece
        finally:
            prompt = sum(estimate_tokens(message.content) for message in messages)
            used = Usage(
                calls=1,
                input_tokens=prompt,
                output_tokens=estimate_tokens("".join(said)),
                estimated_calls=1,
            )
            self._router.count(self._task, name, used)


def router_of(given: object) -> ModelRouter | None:
    """A router as it is, one for a single model that does every task, or None."""
    if given is None or isinstance(given, ModelRouter):
        return given
    if isinstance(given, LanguageModel) and not isinstance(given, type):
        return ModelRouter(dict.fromkeys(ModelTask, given))
    raise InvalidInputError(
        f"models must be a LanguageModel such as OpenAIModel, a ModelRouter or None, not {as_given(given)}"
    )


def task_of(task: str) -> ModelTask:
    """A task by its name."""
    try:
        return ModelTask(task)
    except ValueError:
        known = ", ".join(one.value for one in ModelTask)
        raise InvalidInputError(f"the task {as_given(task)} is unknown; known are {known}") from None


def _name_of(doer: Route | LanguageModel | None) -> str | None:
    if doer is None:
        return None
    return f"openai:{doer.model}" if isinstance(doer, Route) else doer.name


def _open_route(route: Route, told: Callable[[Usage], None]) -> LanguageModel:
    from recollect.models.openai import OpenAIModel

    costs = Costs(price=route.price)
    return OpenAIModel(
        route.model, base_url=route.base_url, api_key=route.api_key, costs=costs, on_usage=told
    )
