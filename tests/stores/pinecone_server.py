"""A server that speaks Pinecone's REST protocol as its client does, and keeps everything in memory.

It is strict where Pinecone is: sizes, numbers of records, types of fields, vectors. It can be slow to
show what it acknowledged, can fail, and can be looked into.
"""

import copy
import json
import threading
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, ClassVar
from urllib.parse import parse_qs, unquote, urlsplit

import numpy as np

KEY = "pc-key"
MOST_METADATA = 40 * 1024
MOST_BODY = 2 * 1024 * 1024
MOST_RECORDS = 1_000
MOST_SPARSE = 1_000
MOST_FOUND = 10_000

Record = dict[str, Any]


class RefusedError(Exception):
    """An answer that is no success."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status


@dataclass
class Space:
    """A namespace: what it holds, and what it has acknowledged and does not show yet."""

    shown: dict[str, Record] = field(default_factory=dict)
    waiting: list[tuple[int, Callable[[dict[str, Record]], None]]] = field(default_factory=list)
    asked: int = 0

    def write(self, step: Callable[[dict[str, Record]], None], *, lag: int) -> None:
        self.waiting.append((self.asked + lag, step))
        if not lag:
            self.look()

    def look(self) -> dict[str, Record]:
        """What is seen now; every look brings the next closer."""
        self.asked += 1
        while self.waiting and self.waiting[0][0] < self.asked:
            self.waiting.pop(0)[1](self.shown)
        return self.shown


class PineconeServer:
    """One project with one index.

    Args:
        name: The index.
        dimension: Of its vectors.
        metric: How they are compared.
        sparse: Whether it declares sparse vectors, too; by default where the metric allows it.

    Attributes:
        lag: How many reads of a namespace go by before a write to it is seen.
        asked: What was asked: method, path and body.
        answers: Statuses to answer with before anything is done, first to last.
    """

    def __init__(
        self,
        name: str = "brain",
        *,
        dimension: int = 8,
        metric: str = "dotproduct",
        sparse: bool | None = None,
    ) -> None:
        self.name, self.dimension, self.metric = name, dimension, metric
        self.fields = {"_values": {"type": "dense_vector", "dimension": dimension, "metric": metric}}
        if metric == "dotproduct" if sparse is None else sparse:
            self.fields["_sparse_values"] = {"type": "sparse_vector"}
        self.ready = True
        self.closed = False
        self.lag = 0
        self.asked: list[tuple[str, str, Any]] = []
        self.answers: list[int] = []
        self.spaces: dict[str, Space] = {}
        self._lock = threading.Lock()
        handler = type("Handler", (_Handler,), {"project": self})
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self._server.daemon_threads = True
        self._server.block_on_close = False
        self._thread = threading.Thread(
            target=self._server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True
        )
        self._thread.start()

    @property
    def address(self) -> str:
        return f"127.0.0.1:{self._server.server_port}"

    @property
    def host(self) -> str:
        return f"http://{self.address}"

    def url(self, prefix: str = "recollect") -> str:
        return f"pinecone+http://:{KEY}@{self.address}/{self.name}?prefix={prefix}"

    def close(self) -> None:
        self.closed = True
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def snapshot(self) -> dict[str, dict[str, Record]]:
        return {name: copy.copy(space.look()) for name, space in self.spaces.items()}

    def put_back(self, snapshot: dict[str, dict[str, Record]]) -> None:
        self.spaces = {name: Space(shown=copy.copy(records)) for name, records in snapshot.items()}

    def answer(self, method: str, target: str, key: str | None, body: bytes) -> tuple[int, Any]:
        parts = urlsplit(target)
        with self._lock:
            data = json.loads(body) if body else {}
            self.asked.append((method, parts.path, data))
            try:
                if self.answers and (status := self.answers.pop(0)) != 200:
                    raise RefusedError(status, f"told to answer {status}")  # noqa: TRY301 (one way out)
                if key != KEY:
                    raise RefusedError(401, "Invalid API Key")  # noqa: TRY301 (one way out)
                if len(body) > MOST_BODY:
                    raise RefusedError(413, "request too large")  # noqa: TRY301 (one way out)
                return 200, self._do(method, parts.path, data, parse_qs(parts.query))
            except RefusedError as error:
                return error.status, {"error": {"code": str(error.status), "message": str(error)}}

    def _do(self, method: str, path: str, data: Any, query: dict[str, list[str]]) -> Any:
        first = {name: values[0] for name, values in query.items()}
        if path.startswith("/indexes/"):
            return self._described(unquote(path.removeprefix("/indexes/")))
        doors: dict[tuple[str, str], Callable[[], Any]] = {
            ("POST", "/vectors/upsert"): lambda: self._upsert(data),
            ("POST", "/vectors/update"): lambda: self._update(data),
            ("POST", "/vectors/delete"): lambda: self._delete(data),
            ("GET", "/vectors/fetch"): lambda: self._fetch(query.get("ids", []), first.get("namespace", "")),
            ("GET", "/vectors/list"): lambda: self._list(first),
            ("POST", "/vectors/fetch_by_metadata"): lambda: self._by_metadata(data),
            ("POST", "/query"): lambda: self._query(data),
            ("POST", "/describe_index_stats"): self._stats,
            ("GET", "/namespaces"): lambda: self._namespaces(first),
        }
        if (method, path) not in doors:
            raise RefusedError(404, f"no such path {path}")
        return doors[method, path]()

    def _described(self, name: str) -> Any:
        if name != self.name:
            raise RefusedError(404, f"Resource {name} not found")
        return {
            "name": self.name,
            "host": self.address,
            "schema": {"fields": self.fields},
            "deployment": {"deployment_type": "managed", "cloud": "aws", "region": "us-east-1"},
            "deletion_protection": "disabled",
            "status": {"ready": self.ready, "state": "Ready" if self.ready else "Initializing"},
        }

    def _space(self, name: str) -> dict[str, Record]:
        if name not in self.spaces:
            raise RefusedError(404, "Namespace not found")
        return self.spaces[name].look()

    def _upsert(self, data: Any) -> Any:
        vectors = data["vectors"]
        if not 0 < len(vectors) <= MOST_RECORDS:
            raise RefusedError(400, f"{len(vectors)} records in one request")
        records = {vector["id"]: self._checked(vector) for vector in vectors}
        space = self.spaces.setdefault(data.get("namespace", ""), Space())
        space.write(lambda shown: shown.update(records), lag=self.lag)
        return {"upsertedCount": len(vectors)}

    def _checked(self, vector: Any) -> Record:
        values = np.array(vector["values"], np.float32)
        if values.shape != (self.dimension,):
            raise RefusedError(400, f"Vector dimension {len(values)} does not match {self.dimension}")
        if not values.any():
            raise RefusedError(400, "Dense vectors must contain at least one non-zero value")
        sparse = vector.get("sparseValues") or {"indices": [], "values": []}
        if len(sparse["indices"]) > MOST_SPARSE or len(sparse["indices"]) != len(sparse["values"]):
            raise RefusedError(400, "sparse values of a wrong size")
        self._check_sparse(sparse)
        metadata = vector.get("metadata") or {}
        if len(json.dumps(metadata, ensure_ascii=False).encode()) > MOST_METADATA:
            raise RefusedError(400, "Metadata size exceeds the limit of 40960 bytes")
        if not vector["id"].isascii() or not 0 < len(vector["id"]) <= 512:
            raise RefusedError(400, "not an id")
        weights = dict(zip(sparse["indices"], sparse["values"], strict=True))
        kept = {name: _kept(name, value) for name, value in metadata.items()}
        return {"id": vector["id"], "values": values, "sparse": weights, "metadata": kept}

    def _check_sparse(self, words: dict[str, Any]) -> None:
        declared = self.metric == "dotproduct" and "_sparse_values" in self.fields
        if words["indices"] and not declared:
            raise RefusedError(400, "Index configuration does not support sparse values")

    def _update(self, data: Any) -> Any:
        def step(shown: dict[str, Record]) -> None:
            if data["id"] in shown:
                record = shown[data["id"]]
                kept = {name: _kept(name, value) for name, value in data.get("setMetadata", {}).items()}
                shown[data["id"]] = record | {"metadata": record["metadata"] | kept}

        self._space(data.get("namespace", ""))
        self.spaces[data.get("namespace", "")].write(step, lag=self.lag)
        return {}

    def _delete(self, data: Any) -> Any:
        ids = data.get("ids", [])
        if len(ids) > MOST_RECORDS:
            raise RefusedError(400, f"{len(ids)} ids in one request")
        self._space(data.get("namespace", ""))

        def step(shown: dict[str, Record]) -> None:
            for each in list(shown) if data.get("deleteAll") else ids:
                shown.pop(each, None)

        self.spaces[data.get("namespace", "")].write(step, lag=self.lag)
        return {}

    def _fetch(self, ids: list[str], namespace: str) -> Any:
        if len(ids) > MOST_RECORDS:
            raise RefusedError(400, f"{len(ids)} ids in one request")
        shown = self._space(namespace)
        return {"namespace": namespace, "vectors": _told(shown[each] for each in ids if each in shown)}

    def _list(self, query: dict[str, str]) -> Any:
        ids = sorted(
            each
            for each in self._space(query.get("namespace", ""))
            if each.startswith(query.get("prefix", ""))
        )
        start, limit = int(query.get("paginationToken", 0)), int(query.get("limit", 100))
        page = {"vectors": [{"id": each} for each in ids[start : start + limit]]}
        return page | _next(start + limit, len(ids))

    def _by_metadata(self, data: Any) -> Any:
        shown = self._space(data.get("namespace", ""))
        found = [record for record in shown.values() if passes(data["filter"], record["metadata"])]
        start, limit = int(data.get("paginationToken", 0)), data.get("limit", 100)
        vectors = _told(found[start : start + limit])
        return {"namespace": data.get("namespace", ""), "vectors": vectors} | _next(start + limit, len(found))

    def _query(self, data: Any) -> Any:
        if not 0 < data["topK"] <= MOST_FOUND:
            raise RefusedError(400, "topK")
        weights = data.get("sparseVector") or {"indices": [], "values": []}
        if len(weights["indices"]) > MOST_SPARSE:
            raise RefusedError(400, "sparse values of a wrong size")
        self._check_sparse(weights)
        vector = np.array(data["vector"], np.float32)
        if vector.shape != (self.dimension,):
            raise RefusedError(400, f"Vector dimension {len(vector)} does not match {self.dimension}")
        words = dict(zip(weights["indices"], weights["values"], strict=True))
        shown = self._space(data.get("namespace", ""))
        found = [
            (self._score(record, vector, words), record["id"])
            for record in shown.values()
            if passes(data.get("filter", {}), record["metadata"])
        ]
        best = sorted(found, key=lambda pair: (-pair[0], pair[1]))[: data["topK"]]
        return {"namespace": "", "matches": [{"id": each, "score": float(score)} for score, each in best]}

    def _score(self, record: Record, vector: Any, words: dict[int, float]) -> float:
        product = float(record["values"] @ vector)
        if self.metric == "cosine":
            lengths = float(np.linalg.norm(record["values"]) * np.linalg.norm(vector))
            product = product / lengths if lengths else 0.0
        return product + sum(weight * record["sparse"].get(word, 0.0) for word, weight in words.items())

    def _stats(self) -> Any:
        counted = {name: {"vectorCount": len(space.look())} for name, space in self.spaces.items()}
        total = sum(each["vectorCount"] for each in counted.values())
        return {"namespaces": counted, "dimension": self.dimension, "totalVectorCount": total}

    def _namespaces(self, query: dict[str, str]) -> Any:
        names = sorted(name for name in self.spaces if name.startswith(query.get("prefix", "")))
        start, limit = int(query.get("paginationToken", 0)), int(query.get("limit", 100))
        page = names[start : start + limit]
        told = [{"name": name, "record_count": str(len(self.spaces[name].look()))} for name in page]
        return {"namespaces": told, "total_count": len(names)} | _next(start + limit, len(names))


class _Handler(BaseHTTPRequestHandler):
    project: ClassVar[PineconeServer]
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    wbufsize = 1 << 16

    def do_GET(self) -> None:
        self._answer(b"")

    def do_POST(self) -> None:
        self._answer(self.rfile.read(int(self.headers["Content-Length"])))

    def _answer(self, body: bytes) -> None:
        if self.project.closed:
            self.close_connection = True
            return
        status, data = self.project.answer(self.command, self.path, self.headers["Api-Key"], body)
        content = json.dumps(data).encode()
        self.send_response_only(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_: object) -> None:
        """Nobody reads it."""


def _next(place: int, count: int) -> dict[str, Any]:
    return {"pagination": {"next": str(place)}} if place < count else {}


def _told(records: Iterable[Record]) -> dict[str, Any]:
    return {
        record["id"]: {
            "id": record["id"],
            "values": record["values"].tolist(),
            **({"sparseValues": _sparse(record["sparse"])} if record["sparse"] else {}),
            "metadata": record["metadata"],
        }
        for record in records
    }


def _sparse(words: dict[int, float]) -> dict[str, Any]:
    return {"indices": list(words), "values": list(words.values())}


def _kept(name: str, value: Any) -> Any:
    """A field as Pinecone keeps it: numbers become floats."""
    if name.startswith("$"):
        raise RefusedError(400, "a name may not begin with $")
    if isinstance(value, (bool, str)):
        return value
    if isinstance(value, (int, float)):
        return float(value)
    if isinstance(value, list) and all(isinstance(item, str) for item in value):
        return value
    raise RefusedError(400, f"Metadata value must be a string, number, boolean or list of strings: {name}")


def passes(condition: dict[str, Any], metadata: dict[str, Any]) -> bool:
    """Whether fields meet a filter."""
    return all(_meets(name, value, metadata) for name, value in condition.items())


def _meets(name: str, value: Any, metadata: dict[str, Any]) -> bool:
    if name in ("$and", "$or"):
        if not value:
            raise RefusedError(400, f"{name} of nothing")
        return (all if name == "$and" else any)(passes(part, metadata) for part in value)
    if name.startswith("$"):
        raise RefusedError(400, f"unknown operator {name}")
    tests = value if isinstance(value, dict) else {"$eq": value}
    return all(_holds(operator, metadata.get(name), wanted) for operator, wanted in tests.items())


def _holds(operator: str, there: Any, wanted: Any) -> bool:
    match operator:
        case "$exists":
            return (there is not None) == wanted
        case "$ne":
            return not _holds("$eq", there, wanted)
        case "$nin":
            return not _holds("$in", there, wanted)
        case "$in":
            return any(_holds("$eq", there, one) for one in wanted)
        case "$eq":
            found = there if isinstance(there, list) else [there]
            return any(isinstance(one, bool) == isinstance(wanted, bool) and one == wanted for one in found)
        case "$gt" | "$gte" | "$lt" | "$lte":
            if isinstance(wanted, bool) or not isinstance(wanted, (int, float)):
                raise RefusedError(400, f"{operator} compares numbers")
            if isinstance(there, bool) or not isinstance(there, float):
                return False
            compared = {"$gt": there > wanted, "$gte": there >= wanted, "$lt": there < wanted}
            return compared.get(operator, there <= wanted)
    raise RefusedError(400, f"unknown operator {operator}")
