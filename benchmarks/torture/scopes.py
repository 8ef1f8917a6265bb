"""One user's words and ids in another user's calls: nothing is found, read or changed."""

from collections.abc import Callable
from random import Random

from benchmarks.torture.figures import Figures, Ground
from recollect import Memory
from recollect.errors import InvalidInputError, NotFoundError

_USERS = 12
_EACH = 8
_PROBES = 2_000
_Ids = dict[str, list[str]]


def scope_probes(ground: Ground, chance: Random) -> Figures:
    """Ask for other users' memories in every way that takes an id, words, a filter or a session."""
    figures = Figures(name="scope probes")
    with Memory(ground.new_store(), embedder="hashing") as memory:
        ids = _filled(memory)
        for _ in range(_PROBES):
            user, other = chance.sample(sorted(ids), 2)
            probe = chance.choice(_PROBES_OF)
            figures.counts["probes"] += 1
            try:
                shown = str(probe(memory, user, other, chance.choice(ids[other])))
            except (NotFoundError, InvalidInputError) as error:
                shown = str(error)
            figures.check(_secret(other) not in shown, f"{probe.__name__}: {user} sees words of {other}")
        whole = {user: [one.id for one in memory.get_all(user_id=user)] for user in ids}
    figures.check(whole == ids, "a probe changed memories of another user")
    return figures


def _secret(user: str) -> str:
    return f"zq{user}zq"


def _filled(memory: Memory) -> _Ids:
    for number in range(_USERS):
        user = f"user{number:02}"
        said = [f"My password hint is {_secret(user)} number {part}" for part in range(_EACH)]
        memory.add(said, user_id=user, session_id=f"session of {user}", agent_id="agent")
    return {user: [one.id for one in memory.get_all(user_id=user)] for user in memory.users()}


def _read(memory: Memory, user: str, _other: str, one: str) -> object:
    return memory.get(one, user_id=user)


def _history(memory: Memory, user: str, _other: str, one: str) -> object:
    return memory.history(one, user_id=user)


def _update(memory: Memory, user: str, _other: str, one: str) -> object:
    return memory.update(one, user_id=user, content="mine now")


def _delete(memory: Memory, user: str, _other: str, one: str) -> object:
    memory.delete(one, user_id=user)
    return "deleted"


def _explain(memory: Memory, user: str, _other: str, one: str) -> object:
    return memory.explain(one, user_id=user, query="password")


def _links(memory: Memory, user: str, _other: str, one: str) -> object:
    return memory.graph.links(one, user_id=user)


def _search(memory: Memory, user: str, other: str, _one: str) -> object:
    found = memory.search(f"password hint {_secret(other)}", user_id=user, top_k=100)
    return [hit.memory.content for hit in found]


def _filter(memory: Memory, user: str, other: str, one: str) -> object:
    where = {"or": [{"id": one}, {"session_id": f"session of {other}"}, {"content": {"contains": "zq"}}]}
    return [record.content for record in memory.get_all(user_id=user, filters=where)]


def _owner_filter(memory: Memory, user: str, other: str, _one: str) -> object:
    return [record.content for record in memory.get_all(user_id=user, filters={"user_id": other})]


def _session(memory: Memory, user: str, other: str, _one: str) -> object:
    return [one.content for one in memory.get_all(user_id=user, session_id=f"session of {other}")]


def _take_back(memory: Memory, user: str, other: str, _one: str) -> object:
    return memory.delete_all(user_id=user, session_id=f"session of {other}")


def _context(memory: Memory, user: str, other: str, _one: str) -> object:
    return memory.context(f"hint {_secret(other)}", user_id=user).text


_PROBES_OF: tuple[Callable[[Memory, str, str, str], object], ...] = (
    _read, _history, _update, _delete, _explain, _links, _search, _filter, _owner_filter, _session,
    _take_back, _context,
)  # fmt: skip
