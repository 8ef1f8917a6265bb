"""Stores that do not do what they say, each in one way."""

from dataclasses import replace

from recollect.stores.reference.store import InMemoryStore
from recollect.types import Scope


class OfAllSessions(InMemoryStore):
    def find(self, scope, where, **more):
        return super().find(Scope(user_id=scope.user_id), where, **more)


class OfAllUsers(InMemoryStore):
    def get(self, scope, ids):
        users = [scope, *(Scope(user_id=user) for user in self.user_ids())]
        found = [super(OfAllUsers, self).get(user, ids) for user in users]
        return [next(filter(None, same), None) for same in zip(*found, strict=True)]


class NothingDeleted(InMemoryStore):
    def delete(self, scope, where, *, reason=None, jobs=()):
        return len(self.find(scope, where))


class NothingPurged(InMemoryStore):
    def purge(self, scope, where=None):
        return 0


class NoHistory(InMemoryStore):
    def history(self, scope, memory_id):
        return []


class NoKeys(InMemoryStore):
    def add(self, scope, entries, *, jobs=()):
        bare = [replace(one, record=replace(one.record, idempotency_key=None)) for one in entries]
        return super().add(scope, bare, jobs=jobs)


class HalfUpdated(InMemoryStore):
    def update(self, scope, ids, change, **more):
        return [
            one
            for memory_id in ids
            for one in super(HalfUpdated, self).update(scope, [memory_id], change, **more)
        ]


class ShadowOfTheDead(InMemoryStore):
    def shadow(self, scope, since):
        found = super().shadow(scope, since)
        return replace(found, removed=found.removed[:0])


class NoLeases(InMemoryStore):
    def claim_jobs(self, *, limit, lease_s, early=False):
        return super().claim_jobs(limit=limit, lease_s=0, early=early)


class OneStateForAll(InMemoryStore):
    def change_state(self, scope, name, change):
        super().change_state(scope, "state", change)
