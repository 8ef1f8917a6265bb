"""Errors that name the right word where a likely one was guessed.

The names that other memory systems use for the same things stand in two tables here, one of arguments and
methods, one of attributes. Signatures stay exact: nothing is accepted under a second name.
"""

import inspect
from abc import ABCMeta
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass
from difflib import get_close_matches
from functools import wraps
from typing import TYPE_CHECKING, Any, Final, NoReturn, TypeVar

_ARGUMENTS: Final[Mapping[str, tuple[str, ...]]] = {
    guess: tuple(rights.split())
    for rights, guesses in {
        "top_k budget_tokens k similarity_top_k": "limit",
        "top_k limit k similarity_top_k budget_tokens": "k n n_results num_results max_results top_n",
        "limit k similarity_top_k budget_tokens": "top_k page_size similarity_top_k max_search_results",
        "after cursor": "offset page",
        "budget_tokens": "max_tokens token_budget budget",
        "query": "q question prompt",
        "content messages query statement": "text",
        "messages content query statement": "message",
        "messages content memory_id": "memory",
        "messages content": "data",
        "messages statement query": "content",
        "content statement": "messages",
        "memory_id session_id": "id",
        "memory_id": "ids memory_ids",
        "user_id": "user owner tenant",
        "user_id collection": "namespace",
        "collection": "collection_name index_name table_name",
        "agent_id": "agent app_id",
        "session_id": "run_id thread_id conversation_id chat_id session",
        "threshold": "min_score score_threshold similarity_threshold",
        "filters filter": "filter filters where metadata_filter metadata_filters",
        "category": "categories",
        "kinds": "kind",
        "kinds kind": "type memory_type",
        "tiers": "tier",
        "since": "start from_date start_date",
        "cursor since": "after",
        "until": "end before to_date end_date",
        "as_of timestamp": "at",
        "timestamp": "created_at happened_at date time when",
        "valid_until": "expires_at expiration_date ttl",
        "metadata": "meta metadatas",
        "store": "path db db_path url storage",
        "embedder": "embedding_model embedding_function embed embeddings",
        "models": "model llm",
        "timezone": "tz",
    }.items()
    for guess in guesses.split()
}
"""Guessed names of arguments, and the right ones: of these the first that the method has."""
_GROUPS: Final[Mapping[str, frozenset[str]]] = {
    "learning": frozenset({"admission", "after", "enabled"}),
    "retrieval": frozenset({"scoring", "shadow_limit_mb", "token_counter", "reckoning"}),
    "within": frozenset({"tiers", "since", "until", "as_of", "exclude_ids", "project"}),
    "labels": frozenset(
        {"category", "priority", "importance", "confidence", "critical", "tier", "tags", "concepts"}
    ),
}
"""Arguments that hold several options, each named like its class, and the names of those."""
_ADVICE: Final[Mapping[str, str]] = {
    "learn_after": "use learning=Learning(after=...)",
    "infer": "the words are always stored, and facts are learned from them in the background",
    "rerank": "the ranking is chosen once, with Memory(retrieval=Retrieval(scoring=...))",
    "preset": "use MemoryAgent(memory, user_id=..., preset=open_preset(...)), from recollect.presets",
    "config": "every setting is an argument of Memory itself",
    "explain": "each hit explains itself: hit.explain()",
    "Memory.user_id": "name the user in each call: memory.add(..., user_id=...)",
    "async_mode": "AsyncMemory has the same methods, awaited",
}
"""What to do about guesses that no argument stands for, of any call or of one."""
_NARROWING: Final[Mapping[str, str]] = {
    "metadata": "filters={'key': 'value'} narrows by metadata",
    "tags": "filters={'tags': {'contains': ...}} narrows by a tag",
    "category": "filters={'category': ...} narrows by it",
    "role": "filters={'role': ...} narrows by it",
    "speaker": "filters={'speaker': ...} narrows by it",
}
"""What to do where a call that takes filters is given what only they compare."""
_OF_A_MESSAGE: Final = frozenset(
    {"role", "name", "speaker", "tags", "importance", "confidence", "critical", "category", "concepts",
     "priority", "tier"}
)  # fmt: skip
"""What ``add`` takes with each message."""
_METHODS: Final[Mapping[str, Mapping[str, str]]] = {
    kind: {guess: right for right, guesses in table.items() for guess in guesses.split()}
    for kind, table in {
        "Memory": {
            "get_all(user_id=...)": "list all list_memories get_memories get_user_memories",
            "get(memory_id, user_id=...)": "get_memory",
            "core(...) for what always matters, profile(user_id=...) for the facts": "summary",
            "sessions.summarise(...)": "summarize",
            "stats(user_id=...).memories": "count len",
            "lifecycle.tidy(...)": "prune expire clean cleanup",
            "add(...)": "put store save upsert insert add_memory add_messages add_texts save_context retain",
            "search(...)": "query recall retrieve find search_memories similarity_search as_retriever invoke"
            " get_relevant_documents",
            "Memory(...): every setting is an argument": "from_config from_dict",
            "context(...)": "load_memory_variables",
            "search(...), or MemoryAgent for answers in words": "ask",
            "MemoryAgent(memory, ...).chat(...)": "chat",
            "delete(...)": "remove forget delete_memory",
            "delete_all(user_id=...)": "clear reset",
            "undelete(...), or recollect.restore(...) for a backup": "restore",
            "update(...)": "edit",
            "jobs.drain()": "learn process drain",
            "jobs.worker()": "worker",
            "jobs.count()": "count_jobs",
            "update(memory_id, user_id=..., labels=Labels(critical=True))": "pin mark_critical",
            "sessions.end(...)": "end_session",
            "facts.conflicts(user_id=...)": "conflicts",
            "facts.resolve(...)": "resolve",
            "facts.decisions(user_id=...)": "admissions",
            "facts.answer(...) for what is known and why, context(...) for all else": "answer",
            "facts.learned(user_id=...)": "learning_records",
            "agenda.items(user_id=...)": "reminders tasks todos",
            "graph.link(...)": "link",
            "graph.links(...)": "links",
            "graph.clusters(user_id=...)": "clusters",
            "graph.acquaintance(user_id=...)": "acquaintance",
            "lifecycle.tidy(user_id=...)": "tidy",
            "lifecycle.relabel()": "relabel",
            "lifecycle.thresholds(user_id=...)": "thresholds",
            "lifecycle.retrievals(user_id=...)": "retrievals",
            "lifecycle.intents(user_id=...)": "intents",
            "lifecycle.candidates(...)": "candidates",
            "maintenance.doctor()": "doctor",
            "maintenance.backup(path)": "backup save_to_disk",
            "maintenance.residue()": "residue",
            "maintenance.screen(text)": "screen",
            "use(memory_id, user_id=..., useful=...)": "feedback rate",
            "use(memory_id, user_id=...)": "track_usage mark_used",
            "use(memory_ids, user_id=..., how='shown')": "track_access",
            "use(memory_id, user_id=..., how='reinforced')": "reinforce",
            "users()": "list_users",
            "explain(...)": "why",
            "load(path)": "import_",
            "import_file(path, user_id=...)": "import_history import_from import_chats import_export",
        },
        "MemoryAgent": {"chat(message)": "run invoke ask send query complete"},
        "Facts": {
            "memory.profile(user_id=...)": "all list get get_all search",
            "decisions(user_id=...)": "admissions",
            "learned(user_id=...)": "records",
        },
        "Jobs": {"drain()": "run learn", "list()": "all"},
        "Sessions": {
            "start(...)": "create new begin",
            "end(...)": "end_session close",
            "list(user_id=...)": "all get_all",
            "turns(...)": "messages get_messages history",
            "memory.delete_all(user_id=..., session_id=...)": "delete remove clear",
        },
        "Documents": {"remove(...)": "delete", "list(user_id=...)": "all"},
        "MemoryGraph": {"concepts(user_id=...)": "graph related"},
        "StoreUpkeep": {"doctor()": "check", "doctor(rebuild=True)": "rebuild vacuum"},
    }.items()
}
"""Guessed names of methods, former ones too, by class, and what does it."""
_CALLED: Final[Mapping[str, str]] = {
    "Agenda": "agenda.items(user_id=...)",
    "Facts": "profile(user_id=...) for the facts, memory.facts.conflicts(user_id=...) for conflicts",
    "Jobs": "jobs.list()",
    "Sessions": "sessions.list(user_id=...)",
    "Documents": "documents.list(user_id=...)",
    "MemoryGraph": "graph.concepts(user_id=...)",
    "Lifecycle": "lifecycle.tidy(user_id=...)",
    "StoreUpkeep": "maintenance.doctor()",
}
"""The properties of ``Memory``, by class, and what is meant by calling one."""
_ATTRIBUTES: Final[Mapping[str, str]] = {
    guess: right
    for right, guesses in {
        "content": "text page_content body memory",
        "action": "event",
        "before": "old_memory old_value previous",
        "after": "new_memory new_value",
        "happened_at": "timestamp date",
        "score": "similarity relevance",
        "kind": "type",
        "speaker": "name",
        "id": "memory_id",
        "included": "hits results memories",
        "text": "prompt content",
        "to_dict": "model_dump dict json as_dict",
        "session_id": "session",
    }.items()
    for guess in guesses.split()
}
"""Guessed attributes of results, and what they are called wherever they lie."""
_DEPTH: Final = 3
_SELF: Final = inspect.Parameter("self", inspect.Parameter.POSITIONAL_OR_KEYWORD)

_Class = TypeVar("_Class", bound=type)


def corrects_guesses(kind: _Class) -> _Class:
    """Let a class name the right argument or method for a wrong one.

    Methods that are awaited call one of these, and need nothing.
    """
    for name, answer in (("__getattr__", _no_method), ("__call__", _no_call)):
        if name == "__getattr__" or kind.__name__.removeprefix("Async") in _CALLED:
            setattr(kind, name, answer)  # unseen by type checkers, which go on to refuse unknown names
    for name, method in inspect.getmembers(kind, inspect.isfunction):
        if name == "__init__" or not (name.startswith("_") or inspect.iscoroutinefunction(method)):
            setattr(kind, name, _corrected(method, kind.__name__ if name == "__init__" else name))
    return kind


def corrects_arguments(*names: str) -> Callable[[_Class], _Class]:
    """Let the constructor of a class name the right argument for a wrong one.

    Args:
        names: Methods of which the same is wanted; ``_method=called`` where users call it by another name.
    """

    def corrected(kind: _Class) -> _Class:
        named = inspect.signature(kind).parameters.values()  # of a pydantic model its fields
        fields = {one.name: one for one in named if one.kind not in (one.VAR_POSITIONAL, one.VAR_KEYWORD)}
        kind.__init__ = _of_itself(kind, {"self": _SELF, **fields})  # type: ignore[misc]
        for name in names:
            method, _, called = name.partition("=")
            function = getattr(kind, method)
            checked = _checked(function, called or name, inspect.signature(function).parameters)
            setattr(kind, method, _awaited(checked) if inspect.iscoroutinefunction(function) else checked)
        return kind

    return corrected


def _of_itself(kind: type, known: Mapping[str, inspect.Parameter]) -> Callable[..., Any]:
    """A constructor that refuses arguments that are not known, but those of subclasses, which take others."""
    inner = kind.__init__  # type: ignore[misc]
    checked = _checked(inner, kind.__name__, known)

    @wraps(inner)
    def made(self: object, *args: Any, **given: Any) -> None:
        is_own = vars(type(self)).get("__init__") is made  # a copy of the class has it, too
        (checked if is_own else inner)(self, *args, **given)

    return made


def _awaited(call: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(call)
    async def awaited(*args: Any, **given: Any) -> Any:
        return await call(*args, **given)

    return awaited


def _corrected(method: Callable[..., Any], called: str) -> Callable[..., Any]:
    checked = _checked(method, called, inspect.signature(method).parameters)

    @wraps(method)
    def call(*args: Any, **given: Any) -> Any:
        found = checked(*args, **given)
        return _Listed(found) if type(found) is list else found

    return call


def _checked(
    method: Callable[..., Any], called: str, known: Mapping[str, inspect.Parameter]
) -> Callable[..., Any]:
    """A method that refuses arguments that are not known, and names the right ones."""
    positional = [name for name, one in known.items() if one.kind is one.POSITIONAL_OR_KEYWORD]
    required = [
        name for name, one in known.items() if one.default is one.empty and one.kind is not one.VAR_KEYWORD
    ]

    @wraps(method)
    def call(*args: Any, **given: Any) -> Any:
        if not given.keys() <= known.keys():
            wrong = next(name for name in given if name not in known)
            raise TypeError(f"{called}() has no argument {wrong!r}; {_instead(wrong, called, known)}")
        if len(args) > len(positional):
            named = [f"{name}=..." for name in known if name not in positional]
            taken = " and ".join(positional[1:]) or "nothing"
            raise TypeError(f"{called}() takes {taken} without a name; write {', '.join(named[:3])}")
        missing = [name for name in required if name not in given and name not in positional[: len(args)]]
        if missing:
            raise TypeError(f"{called}() needs {' and '.join(missing)}; write {missing[0]}=...")
        return method(*args, **given)

    return call


class _Listed(list[Any]):
    """A list that answers ``found["results"]`` and ``found.id`` with what to write."""

    def __getattr__(self, name: str) -> NoReturn:
        instead = "" if name.startswith("_") else f": take one of it, such as found[0].{name}"
        raise AttributeError(f"this is a list, which has no {name!r}{instead}", name=name, obj=self)

    def __getitem__(self, at: Any) -> Any:
        if isinstance(at, str):
            raise TypeError(f"this is a list: go through it as it is, without [{at!r}]")
        return super().__getitem__(at)


class Guided(ABCMeta):
    """Answers a guessed name on a class itself, such as ``Memory.from_config``, with what to write."""

    if not TYPE_CHECKING:  # a type checker shall go on to refuse unknown attributes

        def __getattr__(cls, name: str) -> NoReturn:
            found = _METHODS.get(cls.__name__.removeprefix("Async"), {}).get(name)
            instead = f"; use {found}" if found else ""
            raise AttributeError(f"{cls.__name__} has no {name!r}{instead}", name=name, obj=cls)


def _instead(wrong: str, called: str, known: Mapping[str, object]) -> str:
    """What to write in place of an argument that a method has not got."""
    names = [name for name in known if name != "self"]
    for right in (wrong, *_ARGUMENTS.get(wrong, ())):
        if right in known:
            return f"use {right}"
        for group, fields_of in _GROUPS.items():
            if group in known and right in fields_of:
                return f"use {group}={group.capitalize()}({right}=...)"
        if called == "add" and right in _OF_A_MESSAGE:
            key = "name" if right == "speaker" else right
            return f"put it into the message: {{'content': ..., {key!r}: ...}}"
        if "filters" in known and right in _NARROWING:
            return _NARROWING[right]
    advice = _ADVICE.get(f"{called.removeprefix('Async')}.{wrong}") or _ADVICE.get(wrong)
    return advice or instead_of(wrong, names)


def instead_of(wrong: str, names: Sequence[str]) -> str:
    """What to write in place of a name that is not among those known."""
    options = [name for name in names if name in _GROUPS.get(wrong, ())]
    if options:
        return f"use {', '.join(options)}"
    likely = (*_ARGUMENTS.get(wrong, ()), *get_close_matches(wrong, names, n=1))
    right = next((name for name in likely if name in names), None)
    if right is not None:
        return f"use {right}"
    return f"use one of {', '.join(names)}" if names else "it takes none"


def instead_of_call(kind: str, wrong: str, names: Sequence[str]) -> str:
    """As ``instead_of``, where the names are those of calls: "add_memory" is answered with ``add``.

    Args:
        kind: The class whose methods the calls are named like.
        wrong: The name that was guessed.
        names: Those that there are.
    """
    meant = _METHODS[kind].get(wrong, "").partition("(")[0]
    parts = wrong.split("_")
    right = next((name for name in (meant, *parts) if name in names), None)
    return f"use {right}" if right else instead_of(wrong, names)


def _no_method(self: object, name: str) -> NoReturn:
    """Say which method or attribute to use for a name that a class does not have."""
    kind = type(self).__name__
    guesses = _METHODS.get(kind.removeprefix("Async"), {})
    if name in guesses:
        instead = f"; use {guesses[name]}"
    else:
        public = [one for one in dir(type(self)) if not one.startswith("_")]
        instead = "" if name.startswith("_") else f"; {instead_of(name, public)}"
    raise AttributeError(f"{kind} has no {name!r}{instead}", name=name, obj=self)


def _no_call(self: object, *_: object, **__: object) -> NoReturn:
    """What a property of ``Memory`` answers when it is called."""
    raise TypeError(f"this is not a method; use memory.{_CALLED[type(self).__name__.removeprefix('Async')]}")


class Result:
    """What is returned to users: an attribute it has not got is answered with the one that was meant."""

    __slots__ = ()

    if not TYPE_CHECKING:  # a type checker shall go on to refuse unknown attributes

        def __getattr__(self, name: str) -> NoReturn:
            kind = type(self).__name__
            known = name.startswith("_") or name in _names_of(type(self))
            instead = "" if known else _attribute(self, name)
            raise AttributeError(f"{kind} has no {name!r}{instead}", name=name)

        def __getitem__(self, key: object) -> NoReturn:
            kind = type(self).__name__
            name = key if isinstance(key, str) else ""
            instead = _attribute(self, name) if name not in _names_of(type(self)) else f"; use .{name}"
            raise TypeError(f"{kind} is not a mapping{instead or ': use its attributes, or .to_dict()'}")


def _attribute(value: object, name: str) -> str:
    """Where the attribute lies, or the one that is meant by it."""
    for wanted in (name, _ATTRIBUTES.get(name)):
        if wanted is not None and hasattr(type(value), wanted):
            return f"; use .{wanted}"
        if wanted is not None and (found := next(_places(value, wanted), None)):
            return f"; use .{found}"
    if _ATTRIBUTES.get(name, name) in ("content", "text") and "__str__" in vars(type(value)):
        return "; use str(...)"
    near = get_close_matches(name, [one for one in dir(value) if not one.startswith("_")], n=1)
    return f"; use .{near[0]}" if near else ""


def _places(value: object, name: str, *, depth: int = _DEPTH) -> Iterator[str]:
    """The paths to an attribute of this name within a result."""
    names = _names_of(type(value))
    if name in names:
        yield name
    for one in names if depth else ():
        inner = getattr(value, one)
        if is_dataclass(inner):
            yield from (f"{one}.{path}" for path in _places(inner, name, depth=depth - 1))


def _names_of(kind: type) -> tuple[str, ...]:
    return tuple(one.name for one in fields(kind)) if is_dataclass(kind) else ()
