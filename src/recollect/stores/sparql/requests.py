"""The texts that are sent: one update request for every write, which guards itself."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import Any, Final

from recollect.stores.logged.writes import Write, forgets
from recollect.stores.reference.tables import Kept
from recollect.stores.sparql.vocabulary import StoreIris, described, exact, mcp, number, term, text, typed
from recollect.stores.sql.rows import dump

KEPT_WRITES: Final = 100
"""How many writes stay readable for others; who missed more reads everything again. Chosen by hand."""
_WRITE_CHARACTERS: Final = 100_000
"""A longer write is not repeated for others: they read everything again. Chosen by hand."""
FORMAT: Final = 1


class SparqlRequests:
    """Makes the texts for one store."""

    def __init__(self, names: StoreIris, token: str) -> None:
        self._names = names
        self._token = text(token)

    # Queries

    def head(self) -> str:
        """Asks for the format, and the number of the last write."""
        ledger = self._names.ledger
        return (
            f"SELECT ?format ?number {{ GRAPH {ledger} {{ {ledger} {term('format')} ?format ; "
            f"{term('number')} ?number }} }}"
        )

    def writer(self, of: int) -> str:
        """Asks who made a write."""
        return f"SELECT ?by {{ GRAPH {self._names.ledger} {{ {self._names.write(of)} {term('by')} ?by }} }}"

    def writes(self, numbers: Iterable[int]) -> str:
        """Asks for writes as they were put down."""
        wanted = " ".join(map(self._names.write, numbers))
        return (
            f"SELECT ?number ?write {{ VALUES ?s {{ {wanted} }} GRAPH {self._names.ledger} "
            f"{{ ?s {term('of')} ?number ; {term('write')} ?write }} }}"
        )

    def everything(self) -> str:
        """Asks for all that is kept, in every graph of the store."""
        parts = " ".join(map(term, ("record", "features", "change", "entry", "number")))
        return (
            f"SELECT ?g ?s ?p ?o {{ VALUES ?p {{ {parts} }} GRAPH ?g {{ ?s ?p ?o }} "
            f"FILTER(STRSTARTS(STR(?g), {text(self._names.base)})) }}"
        )

    # Updates

    def create(self) -> str:
        """Makes the ledger, where there is none."""
        ledger = self._names.ledger
        head = (
            f"{typed(ledger, term('Store'))} {ledger} {term('format')} {number(FORMAT)} ; "
            f"{term('number')} {number(0)} ."
        )
        return (
            f"INSERT {{ GRAPH {ledger} {{ {head} }} }} "
            f"WHERE {{ FILTER NOT EXISTS {{ GRAPH {ledger} {{ {ledger} {term('number')} ?n }} }} }}"
        )

    def write(self, of: int, write: Write, kept: Kept) -> str:
        """Carries out a write of this number, if the last one is that before it; else changes nothing."""
        return " ;\n".join([*self._removals(of, write, kept), self._insertion(of, write, kept)])

    def _removals(self, of: int, write: Write, kept: Kept) -> Iterator[str]:
        gone: list[str] = []
        changed: list[str] = []
        anew: list[str] = []
        rewritten: list[str] = []
        tables = kept.tables()
        for name, pairs in write.items():
            for key, value in pairs:
                if tables[name].before[key] is None:
                    continue
                place = f"({self._graph(name, key, kept)} {self._subject(name, key)})"
                (gone if value is None else changed).append(place)
                if name == "memories" and value is not None and "features" in value:
                    anew.append(place)
                if name == "memories" and value is not None and "rewritten" in value:
                    rewritten.append(place)
        lasting = f"FILTER(?p NOT IN ({term('change')}, {term('features')}))"
        removals = (
            (gone, ""),
            (changed, lasting),
            (anew, f"FILTER(?p = {term('features')})"),
            (rewritten, f"FILTER(?p = {term('change')})"),
        )
        for places, only in removals:
            if places:
                yield (
                    f"DELETE {{ GRAPH ?g {{ ?s ?p ?o }} }} WHERE {{ {self._guard(of)} "
                    f"VALUES (?g ?s) {{ {' '.join(places)} }} GRAPH ?g {{ ?s ?p ?o }} {only} }}"
                )
        yield self._aging(of, f"FILTER(?n <= {number(of - KEPT_WRITES)})")
        if forgets(write):
            yield self._aging(of, f"FILTER(?p = {term('write')})")

    def _aging(self, of: int, only: str) -> str:
        ledger = self._names.ledger
        return (
            f"DELETE {{ GRAPH {ledger} {{ ?s ?p ?o }} }} WHERE {{ {self._guard(of)} "
            f"GRAPH {ledger} {{ ?s {term('of')} ?n ; ?p ?o }} {only} }}"
        )

    def _insertion(self, of: int, write: Write, kept: Kept) -> str:
        ledger = self._names.ledger
        graphs: dict[str, list[str]] = defaultdict(list)
        for name, pairs in write.items():
            for key, value in pairs:
                if value is not None:
                    graphs[self._graph(name, key, kept)] += self._triples(name, key, value, kept)
        graphs[ledger] += self._marker(of, write)
        body = "\n".join(f"GRAPH {graph} {{ {chr(10).join(triples)} }}" for graph, triples in graphs.items())
        old = f"GRAPH {ledger} {{ {ledger} {term('number')} {number(of - 1)} }}"
        return f"DELETE {{ {old} }}\nINSERT {{ {body} }}\nWHERE {{ {self._guard(of)} }}"

    def _guard(self, of: int) -> str:
        ledger = self._names.ledger
        return f"GRAPH {ledger} {{ {ledger} {term('number')} {number(of - 1)} }}"

    def _marker(self, of: int, write: Write) -> Iterator[str]:
        ledger, marker = self._names.ledger, self._names.write(of)
        yield f"{ledger} {term('number')} {number(of)} ."
        yield typed(marker, term("Write"))
        yield f"{marker} {term('of')} {number(of)} ; {term('by')} {self._token} ."
        if len(dump(write)) <= _WRITE_CHARACTERS:
            yield f"{marker} {term('write')} {exact(write)} ."

    def _subject(self, name: str, key: Any) -> str:
        return self._names.memory(key) if name == "memories" else self._names.entry(name, key)

    def _graph(self, name: str, key: Any, kept: Kept) -> str:
        if name == "states":
            return self._names.graph(key[0])
        if name not in ("memories", "links"):
            return self._names.ledger
        memory = key if name == "memories" else key[0]
        row = kept.memories.get(memory) or kept.memories.before[memory]
        return self._names.graph(row.record.scope.user_id) if row else self._names.ledger

    def _triples(self, name: str, key: Any, value: Any, kept: Kept) -> Iterator[str]:
        subject = self._subject(name, key)
        if name == "memories":
            yield from self._memory(subject, value, kept)
            return
        if name == "links":
            yield typed(subject, term("Link"))
            yield f"{subject} {term('source')} {self._names.memory(key[0])} ."
            yield f"{subject} {term('target')} {self._names.memory(key[1])} ."
            yield f"{subject} {term('type')} {text(key[2])} ."
        yield f"{subject} {term('entry')} {exact([name, key, value])} ."

    def _memory(self, subject: str, value: Any, kept: Kept) -> Iterator[str]:
        row = kept.memories[value["key"]]
        if row.deleted:
            yield f"{subject} {mcp('id')} {text(row.record.id)} ; {term('deleted')} {number(True)} ."
        else:
            yield from described(subject, row.record)
        record = {
            name: part for name, part in value.items() if name not in ("features", "history", "rewritten")
        }
        yield f"{subject} {term('record')} {exact(record)} ."
        if "features" in value:
            yield f"{subject} {term('features')} {exact(value['features'])} ."
        first = len(row.history) - len(value["history"])
        for place, change in enumerate(value["history"], start=first):
            yield f"{subject} {term('change')} {exact([place, change])} ."
