import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from recollect import InvalidInputError, Memory
from recollect.errors import StoreCorruptError
from recollect.retrieval.clusters.clusters import STATE
from recollect.retrieval.clusters.index import MOST_DRIFT, ClusterIndex
from recollect.retrieval.clusters.kmeans import NO_CLUSTER, assign, clusters_for, kmeans, unit
from recollect.retrieval.vectors import quantise

VECTORS = arrays.arrays(np.int8, st.tuples(st.integers(0, 40), st.just(4)), elements=st.integers(-127, 127))
DIARY = {
    "cats": [
        "My cat sleeps on the sofa",
        "The cat caught a mouse",
        "Feed the cat in the evening",
        "A cat purrs",
    ],
    "money": [
        "The rent is due in March",
        "Pay the rent by bank transfer",
        "The rent rose again",
        "Rent and bank",
    ],
}


def blobs(count, dim=16, per=50, seed=0):
    chance = np.random.default_rng(seed)
    middles = chance.standard_normal((count, dim))
    middles /= np.linalg.norm(middles, axis=1, keepdims=True)
    points = np.repeat(middles, per, axis=0) + chance.standard_normal((count * per, dim)) * 0.05
    return quantise(points.astype(np.float32))


# k-means


@settings(deadline=None)
@given(VECTORS, st.integers(1, 50))
def test_centroids_are_of_unit_length_and_at_most_as_many_as_wanted(vectors, clusters):
    centroids = kmeans(vectors, clusters)
    assert len(centroids) <= min(clusters, len(np.unique(vectors[vectors.any(axis=1)], axis=0)))
    assert bool(len(centroids)) == bool(vectors.any())
    assert np.linalg.norm(centroids, axis=1) == pytest.approx(1, abs=1e-5)
    nearest, cosine = assign(vectors, centroids)
    assert ((nearest == NO_CLUSTER) == ~vectors.any(axis=1)).all()
    known = nearest >= 0
    best = (unit(vectors[known]) @ centroids.T).max(axis=1) if known.any() else np.empty(0)
    assert cosine[known] == pytest.approx(best, abs=1e-5)


def test_the_same_vectors_give_the_same_centroids_and_another_seed_may_not():
    vectors = blobs(6)
    assert (kmeans(vectors, 6) == kmeans(vectors, 6)).all()


def test_separate_groups_are_found():
    vectors = blobs(5)
    nearest, cosine = assign(vectors, kmeans(vectors, 5))
    groups = nearest.reshape(5, -1)
    assert (groups == groups[:, :1]).all()
    assert len(set(groups[:, 0].tolist())) == 5
    assert cosine.min() > 0.9


@pytest.mark.parametrize("vectors", [np.zeros((0, 4), np.int8), np.zeros((3, 4), np.int8)])
def test_of_nothing_there_are_no_clusters(vectors):
    assert kmeans(vectors, 3).shape == (0, 4)
    assert assign(vectors, kmeans(vectors, 3))[0].tolist() == [NO_CLUSTER] * len(vectors)


@pytest.mark.parametrize("count", [1, 2, 1000])
def test_identical_vectors_are_one_cluster(count):
    vectors = np.tile(np.array([[3, -4, 0, 9]], np.int8), (count, 1))
    centroids = kmeans(vectors, 10)
    assert len(centroids) == 1
    assert assign(vectors, centroids)[1] == pytest.approx(1, abs=1e-5)


def test_a_number_of_clusters_that_cannot_be_used_says_so():
    with pytest.raises(InvalidInputError, match="at least 1"):
        kmeans(blobs(2), 0)


@given(st.integers(0, 10**9))
def test_there_are_never_more_clusters_than_memories(memories):
    assert 1 <= clusters_for(memories) <= max(memories, 1)


# The index


@settings(deadline=None, max_examples=50)
@given(VECTORS, VECTORS, st.data())
def test_looking_into_every_cluster_is_exact(first, more, data):
    index = ClusterIndex(4)
    index.add(first)
    if len(first):
        index.train()
    index.add(more)
    both = np.concatenate([first, more])
    gone = data.draw(st.lists(st.integers(0, len(both) - 1), unique=True) if len(both) else st.just([]))
    index.remove(np.array(gone, np.intp))
    if index.is_outdated():
        index.train()
    query = unit(np.array([[1, 2, 3, 4]], np.int8))[0]
    rows, cosine = index.search(query, top_k=5, probes=100)
    alive = np.setdiff1d(np.flatnonzero(both.any(axis=1)), gone)
    expected = np.sort(unit(both[alive]) @ query)[::-1][:5]
    assert cosine == pytest.approx(expected, abs=1e-5)
    assert set(rows.tolist()) <= set(alive.tolist())


def test_few_clusters_find_what_is_near():
    index = ClusterIndex(16)
    index.add(blobs(9))
    index.train()
    query = unit(blobs(9)[100:101])[0]
    near, _ = index.search(query, top_k=10, probes=1)
    assert set(near.tolist()) <= set(range(100, 150))


def test_new_rows_join_the_nearest_cluster_without_training():
    index = ClusterIndex(16)
    index.add(blobs(4))
    index.train(clusters=4)
    before = index.centroids
    index.add(blobs(4)[:10])
    assert index.centroids is before
    assert (index.cluster[200:] == index.cluster[:10]).all()


@settings(deadline=None, max_examples=50)
@given(st.data())
def test_an_index_that_changes_is_like_one_made_of_what_is_left(data):
    index = ClusterIndex(4)
    index.add(blobs(5, dim=4, per=4))
    index.train(clusters=3)
    rows = dict(enumerate(blobs(5, dim=4, per=4)))
    for _ in range(data.draw(st.integers(1, 6))):
        some = np.array(data.draw(st.lists(st.integers(0, len(index.alive) - 1), unique=True)), np.intp)
        what = data.draw(st.sampled_from(["add", "put", "remove", "take", "search", "members"]))
        vectors = data.draw(arrays.arrays(np.int8, (len(some), 4), elements=st.integers(-127, 127)))
        if what == "add":
            rows |= dict(enumerate(vectors, len(index.alive)))
            index.add(vectors)
        elif what == "put":
            rows |= dict(zip(some.tolist(), vectors, strict=True))
            index.put(some, vectors)
        elif what == "remove":
            rows = {row: vector for row, vector in rows.items() if row not in some}
            index.remove(some)
        elif what == "take" and rows:
            rows = dict(enumerate(rows.values()))
            index.take(np.flatnonzero(index.alive))
        elif what == "search":
            index.search(unit(np.ones((1, 4), np.int8))[0], top_k=3)
        else:
            index.members(0)
        rows = dict(sorted(rows.items()))
    fresh = ClusterIndex(4, index.trained)
    fresh.add(np.array(list(rows.values()), np.int8).reshape(-1, 4))
    assert (len(index), index.drift()) == (len(fresh), pytest.approx(fresh.drift(), abs=1e-6))
    assert index.is_outdated() == fresh.is_outdated()
    query = unit(np.array([[1, 2, 3, 4]], np.int8))[0]
    for probes in (1, 2, 3):
        found, expected = (one.search(query, top_k=4, probes=probes) for one in (index, fresh))
        assert found[1] == pytest.approx(expected[1], abs=1e-6)
    places = np.array(list(rows), np.intp)
    for cluster in range(len(index.centroids)):
        assert index.members(cluster).tolist() == places[fresh.members(cluster)].tolist()


def test_a_few_new_rows_are_found_without_putting_all_in_order_anew():
    index = ClusterIndex(16)
    index.add(blobs(9))
    index.train()
    query = unit(blobs(9)[100:101])[0]
    index.search(query, top_k=10)
    order = index._order
    index.add(blobs(9)[100:101])
    index.remove(np.array([100]))
    near, cosine = index.search(query, top_k=1)
    assert (near.tolist(), cosine[0]) == ([450], pytest.approx(1, abs=1e-3))
    assert index._order is order


def test_clusters_are_outdated_by_drift_by_growth_and_by_loss():
    index = ClusterIndex(16)
    assert not index.is_outdated()
    index.add(blobs(4))
    assert index.is_outdated()
    index.train(clusters=4)
    assert (index.is_outdated(), index.drift()) == (False, 0.0)
    index.add(blobs(8, per=20, seed=5))
    assert index.drift() > MOST_DRIFT
    assert index.is_outdated()
    index.train()
    assert not index.is_outdated()
    index.remove(np.arange(200))
    index.train(clusters=8)
    index.add(np.concatenate([blobs(8, per=20, seed=5)] * 2))
    assert index.drift() < MOST_DRIFT
    assert index.is_outdated()
    index.train(clusters=8)
    index.remove(np.arange(200, 500))
    assert index.is_outdated()


# A user's clusters


@pytest.fixture
def memory(tmp_path):
    with Memory(tmp_path / "brain.db") as memory:
        for lines in DIARY.values():
            memory.add(lines, user_id="ada")
        yield memory


def contents(memory, cluster):
    return {memory.get(one, user_id="ada").content for one in cluster.memory_ids}


def test_memories_that_mean_alike_are_together_under_a_label(memory):
    clusters = memory.graph.clusters(user_id="ada")
    clusters.recluster(clusters=2)
    found = {frozenset(contents(memory, one)): one for one in clusters.all()}
    assert set(found) == {frozenset(lines) for lines in DIARY.values()}
    assert "cat" in found[frozenset(DIARY["cats"])].label
    assert "rent" in found[frozenset(DIARY["money"])].label
    assert all(0 < one.cohesion <= 1 for one in found.values())


def test_clusters_stay_the_same_for_another_process(memory):
    clusters = memory.graph.clusters(user_id="ada")
    clusters.recluster(clusters=2)
    assert memory.graph.clusters(user_id="ada").all() == clusters.all()


def test_clusters_follow_what_is_added_changed_archived_and_deleted(memory):
    clusters = memory.graph.clusters(user_id="ada")
    clusters.recluster(clusters=2)

    def held():
        return {one for cluster in clusters.all() for one in cluster.memory_ids}

    (new,) = memory.add("The cat is on the roof", user_id="ada")
    assert new.id in held()
    memory.update(str(new.id), user_id="ada", content="The rent is paid from the bank")
    (cluster,) = (one for one in clusters.all() if new.id in one.memory_ids)
    assert DIARY["money"][0] in contents(memory, cluster)
    memory.archive(str(new.id), user_id="ada")
    assert new.id not in held()
    memory.unarchive(str(new.id), user_id="ada")
    assert new.id in held()
    memory.delete(str(new.id), user_id="ada")
    assert new.id not in held()
    assert len(held()) == 8


def room(clusters):
    """How many ids and rows it holds."""
    return len(clusters._ids), len(clusters._index.alive)


def test_memories_that_are_only_used_or_come_and_go_take_no_room(memory):
    clusters = memory.graph.clusters(user_id="ada")
    expected = clusters.all()
    ids = [one for cluster in expected for one in cluster.memory_ids]
    log = memory.lifecycle.retrievals(user_id="ada")
    for _ in range(20):
        log.track(ids)
        assert clusters.search("cat", top_k=3)
    assert room(clusters) == (8, 8)
    assert clusters.all() == expected
    for number in range(60):
        (new,) = memory.add(f"The cat number {number}", user_id="ada")
        assert clusters.search(f"The cat number {number}", top_k=1, probes=99)[0].memory.id == new.id
        memory.delete(str(new.id), user_id="ada")
    assert str(new.id) not in {hit.memory.id for hit in clusters.search("cat", top_k=50)}
    ids_held, rows_held = room(clusters)
    assert ids_held == rows_held <= 8 + 18
    assert {one for cluster in clusters.all() for one in cluster.memory_ids} == set(ids)


def test_a_search_by_clusters_finds_the_nearest(memory):
    hits = memory.graph.clusters(user_id="ada").search("the cat", top_k=3, probes=1)
    assert {hit.memory.content for hit in hits} <= set(DIARY["cats"])
    assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)
    assert all(hit.terms == {"vector": hit.score} for hit in hits)


def test_of_no_memories_there_are_no_clusters_and_of_one_there_is_one(memory):
    for user in ("nobody", "bob"):
        clusters = memory.graph.clusters(user_id=user)
        clusters.recluster()
        assert (clusters.all(), clusters.search("cat")) == ([], [])
    (one,) = memory.add("Only this", user_id="bob")
    (cluster,) = clusters.all()
    assert cluster.memory_ids == (one.id,)
    assert cluster.cohesion == pytest.approx(1, abs=1e-2)


def test_the_same_words_a_hundred_times_are_one_cluster(memory):
    memory.add(["the same words"] * 100, user_id="bob")
    (cluster,) = memory.graph.clusters(user_id="bob").all()
    assert len(cluster.memory_ids) == 100


def test_what_cannot_be_used_says_so(memory):
    clusters = memory.graph.clusters(user_id="ada")
    for wrong in ({"top_k": 0}, {"probes": 0}):
        with pytest.raises(InvalidInputError):
            clusters.search("cat", **wrong)
    with pytest.raises(InvalidInputError):
        clusters.search(" ")
    with pytest.raises(InvalidInputError):
        clusters.recluster(clusters=0)


@pytest.mark.parametrize("kept", ["{", "[]", "{}", '{"version":1,"dim":256,"embedder":"x"}'])
def test_damaged_centroids_say_so_and_those_of_another_embedder_are_made_anew(memory, kept):
    memory.graph.clusters(user_id="ada").all()
    scope = memory.parts.scope("ada")
    other = json.dumps({**json.loads(memory.parts.store.state(scope, STATE)), "embedder": "another"})
    memory.parts.store.change_state(scope, STATE, lambda _: other)
    assert memory.graph.clusters(user_id="ada").all()
    memory.parts.store.change_state(
        scope, STATE, lambda _: kept.replace('"x"', json.dumps(memory.stats().embedder))
    )
    with pytest.raises(StoreCorruptError, match="centroids of clusters are damaged"):
        memory.graph.clusters(user_id="ada").all()
