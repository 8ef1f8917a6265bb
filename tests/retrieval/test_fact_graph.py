"""The graph of facts: who and what they are about, of which type, and what each is to another."""

import pytest

from recollect import Memory

SAID = (
    "I live in Ghent and I work at Umicore.",
    "My sister Ines is allergic to nuts.",
    "Ines lives in Porto.",
    "I'm working on a novel about bees.",
    "I moved to Antwerp.",
)


@pytest.fixture
def memory():
    with Memory(":memory:", embedder="hashing") as made:
        for number, text in enumerate(SAID, start=1):
            said = {"role": "user", "content": text, "timestamp": f"2026-03-0{number}T10:00:00Z"}
            made.add([said], user_id="ada", session_id=str(number))
        made.jobs.drain()
        yield made


def test_every_node_has_the_type_that_facts_say(memory):
    types = {node.name: node.type for node in memory.graph.facts(user_id="ada").nodes()}
    assert types == {
        "User": "person",
        "Ines": "person",
        "Antwerp": "place",
        "Porto": "place",
        "Umicore": "organisation",
        "novel about bees": "project",
        "nuts": "thing",
    }


def test_edges_are_named_by_what_facts_say(memory):
    found = memory.graph.facts(user_id="ada")
    told = {(one.source, one.name, one.target) for one in found.edges(node.name for node in found.nodes())}
    assert told == {
        ("User", "sister", "Ines"),
        ("User", "works at", "Umicore"),
        ("User", "lives in", "Antwerp"),
        ("User", "works on", "novel about bees"),
        ("Ines", "lives in", "Porto"),
        ("Ines", "is allergic to", "nuts"),
    }


def test_the_most_named_come_first_and_edges_stay_among_those_asked_for(memory):
    found = memory.graph.facts(user_id="ada")
    first, second = found.nodes(2)
    assert (len(found), first.name, second.name) == (7, "User", "Ines")
    assert [one.name for one in found.edges([first.name, second.name])] == ["sister"]


def test_what_is_over_is_named_as_such():
    with Memory(":memory:", embedder="hashing") as memory:
        memory.add("I used to be a member of Falmouth Gig club", user_id="ada")
        memory.jobs.drain()
        found = memory.graph.facts(user_id="ada")
        (edge,) = found.edges(node.name for node in found.nodes())
        assert edge.name == "used to be a member of"


def test_another_user_has_a_graph_of_their_own(memory):
    assert memory.graph.facts(user_id="bob").nodes() == []


def test_an_edge_says_what_the_fact_says():
    with Memory(":memory:", embedder="hashing") as memory:
        memory.add(
            "I run a small bakery in Ghent. I don't eat pork. My daughter Lotte is six.", user_id="ada"
        )
        memory.jobs.drain()
        graph = memory.graph.facts(user_id="ada")
        nodes = [node.name for node in graph.nodes()]
        edges = {(edge.name, edge.target) for edge in graph.edges(nodes)}
    assert edges == {("runs a small bakery in", "Ghent"), ("does not eat", "pork"), ("daughter", "Lotte")}


@pytest.mark.parametrize(
    "text",
    ["I live alone.", "My sister is coming over for Christmas.", "I work from home.", "I eat everything."],
)
def test_what_says_how_or_where_is_no_node(text):
    with Memory(":memory:", embedder="hashing") as memory:
        memory.add(text, user_id="ada")
        memory.jobs.drain()
        names = {node.name for node in memory.graph.facts(user_id="ada").nodes()}
    assert names <= {"User", "User's sister"}
