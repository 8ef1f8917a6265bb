"""The language models of the server and their API keys. Keys stay in this process and are never shown."""

import threading
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final, TypeAlias

from recollect.errors import InvalidInputError
from recollect.models.chat import LanguageModel, Usage
from recollect.models.routing import OLLAMA, ModelRouter, ModelTask, Route, task_of
from recollect.models.usage import sum_of

DEFAULT_MODEL: Final = "gpt-4o-mini"
"""Shadow Memory's model for chat responses."""
_LONGEST_KEY: Final = 1_024
_ROUTERS: Final = 512
"""Owners whose connections stay open; the usage of others is still counted. Chosen by hand."""

RouterMaker: TypeAlias = Callable[[dict[str, Route | None]], ModelRouter]
"""Makes a router from the model of each task."""


class ModelDesk:
    """The models of a server, by task and by owner of an API key.

    Without a model name, a base URL and a key there is no model, and chats quote memories.

    Args:
        model: The model's name; by default ``gpt-4o-mini``.
        base_url: Its server; by default OpenAI if there is a key, else Ollama on this machine once a model
            is named.
        api_key: The key for owners without their own.
        make: Makes a router; for tests.
    """

    def __init__(
        self,
        *,
        model: str | None = None,
        base_url: str | None = None,
        api_key: str | None = None,
        make: RouterMaker = ModelRouter,
    ) -> None:
        self._model = model
        self._base_url = base_url
        self._make = make
        self._keys: dict[str | None, str] = {} if api_key is None else {None: _checked(api_key)}
        self._overrides: dict[ModelTask, str] = {}
        self._learning: ModelRouter | None = None
        self._routers: OrderedDict[str | None, ModelRouter] = OrderedDict()
        self._answering: Counter[ModelRouter] = Counter()
        self._spent: dict[str | None, Usage] = {}
        self._lock = threading.RLock()

    def give_tasks(self, router: ModelRouter | None) -> None:
        """Do the tasks other than chat by the router of the served memory: extraction, summaries, titles."""
        with self._lock:
            self._learning = router
            self._route_tasks()

    def set_key(self, owner: str | None, api_key: str) -> None:
        """Set the key of an owner; the owner None stands for all owners without their own.

        Raises:
            InvalidInputError: The key is not 1 to 1,024 printable ASCII characters.
        """
        checked = _checked(api_key)
        with self._lock:
            self._keys[owner] = checked
            for whose in list(self._routers) if owner is None else [owner]:
                self._forget(whose)
            self._route_tasks()

    def has_key(self, owner: str | None) -> bool:
        """Whether an owner has a key."""
        return self._key(owner) is not None

    def override(self, task: str, model: str) -> dict[str, str | None]:
        """Set the model of a task; return the model of every task.

        Raises:
            InvalidInputError: The task is unknown, the model's name is invalid, or the served memory was
                opened without models and cannot ask one for this task.
        """
        wanted = task_of(task)
        Route(model=model)
        with self._lock:
            if wanted is not ModelTask.CHAT and self._learning is None:
                raise InvalidInputError(
                    f"no model can do {wanted.value} here: open the memory with models=ModelRouter(...)"
                )
            self._overrides[wanted] = model
            self._route_tasks()
            for owner in list(self._routers):
                self._forget(owner)
            return self.routes()

    def routes(self) -> dict[str, str | None]:
        """Return the current model of each task by name."""
        return {task.value: self._name(task, None) for task in ModelTask}

    @contextmanager
    def answering(self, owner: str | None, *, api_key: str | None = None) -> Iterator[LanguageModel | None]:
        """Open the chat model of an owner, or None; ``api_key`` is used for this answer and not kept."""
        router = self._acquire(owner, api_key)
        if router is None:
            yield None
            return
        try:
            yield router.model(ModelTask.CHAT)
        finally:
            with self._lock:
                self._answering[router] -= 1
                if self._routers.get(owner) is not router:
                    self._retire(owner, router)

    def usage(self, owner: str | None) -> Usage:
        """Return an owner's token usage since the server started; of all owners and of learning for None.

        An answer in progress counts at its end if it uses a one-time key or the key has changed since.
        """
        with self._lock:
            now = [(whose, router.usage()) for whose, router in self._routers.items()]
            learned = [] if self._learning is None else [(None, self._learning.usage())]
            every = [*self._spent.items(), *now, *learned]
            return sum_of([used for whose, used in every if owner in (None, whose)])

    def close(self) -> None:
        """Close all connections and forget the keys."""
        with self._lock:
            for owner in list(self._routers):
                self._forget(owner)
            self._keys.clear()

    def _key(self, owner: str | None) -> str | None:
        with self._lock:
            return self._keys.get(owner, self._keys.get(None))

    def _acquire(self, owner: str | None, api_key: str | None) -> ModelRouter | None:
        """Return a router and mark it as in use; None if there is no model."""
        with self._lock:
            router = self._router(owner) if api_key is None else self._make(self._tasks(_checked(api_key)))
            if router is not None:
                self._answering[router] += 1
            return router

    def _router(self, owner: str | None) -> ModelRouter | None:
        with self._lock:
            if self._name(ModelTask.CHAT, owner) is None:
                return None
            if owner not in self._routers:
                self._routers[owner] = self._make(self._tasks(self._key(owner)))
            self._routers.move_to_end(owner)
            while len(self._routers) > _ROUTERS:
                self._forget(next(iter(self._routers)))
            return self._routers[owner]

    def _tasks(self, key: str | None) -> dict[str, Route | None]:
        """The model of the chat; the router of the memory does the other tasks."""
        name = self._overrides.get(ModelTask.CHAT, self._model) or DEFAULT_MODEL
        return {task.value: None for task in ModelTask} | {"chat": self._route(name, key)}

    def _route(self, name: str, key: str | None) -> Route:
        base_url = self._base_url or (OLLAMA if key is None else None)
        return Route(model=name, base_url=base_url, api_key=key)

    def _route_tasks(self) -> None:
        """Have the memory's router ask the models that were set for its tasks, with the key of everyone."""
        for task, name in self._overrides.items():
            if self._learning is not None and task is not ModelTask.CHAT:
                self._learning.override(task, self._route(name, self._key(None)))

    def _name(self, task: ModelTask, owner: str | None) -> str | None:
        if task in self._overrides:
            return self._overrides[task]
        if task is not ModelTask.CHAT:
            return None if self._learning is None else self._learning.routes()[task]
        configured = self._model is not None or self._base_url is not None or self._key(owner) is not None
        return (self._model or DEFAULT_MODEL) if configured else None

    def _forget(self, owner: str | None) -> None:
        if router := self._routers.pop(owner, None):
            self._retire(owner, router)

    def _retire(self, owner: str | None, router: ModelRouter) -> None:
        """Add up a router's usage, and close it unless an answer is in progress."""
        self._spent[owner] = sum_of([self._spent.get(owner, Usage()), router.reset_usage()])
        if not self._answering[router]:
            del self._answering[router]
            router.close()


def _checked(api_key: str) -> str:
    """Check that a header can carry the key; the error does not show the key."""
    key = api_key.strip()
    if not key or len(key) > _LONGEST_KEY or not key.isascii() or not key.isprintable() or " " in key:
        raise InvalidInputError("apiKey must be a key of at most 1,024 printable ASCII characters")
    return key
