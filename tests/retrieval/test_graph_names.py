import re
from urllib.parse import unquote
from xml.etree import ElementTree as ET

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from recollect import Memory
from recollect.retrieval.graph.export import CONCEPT_IRI, graphml, turtle
from recollect.retrieval.graph.named import Concept, ConceptGraph, Edge
from recollect.text.analyse import Analyser

NS = "{http://graphml.graphdrawing.org/xmlns}"
TOPICS = [["cat", "Whiskers"], ["Whiskers", "blue sofa"], ["Cats", "whiskers"], []]
NASTY = [
    '"',
    "\\",
    "\n",
    "\r",
    "\t",
    "]]>",
    "<a>",
    "&amp;",
    "}",
    "> .",
    "\x07",
    "\u202e",
    "é",
    "\U0001f600",
    "\ufffe",
]
NAMES = st.one_of(st.text(st.characters(codec="utf-8"), max_size=12), st.sampled_from(NASTY))


def graph_of(topics):
    return ConceptGraph(topics, Analyser())


def test_spellings_of_one_concept_are_counted_together():
    graph = graph_of(TOPICS)
    assert graph.concepts() == [
        Concept(name="Whiskers", memories=3),
        Concept(name="Cats", memories=2),
        Concept(name="blue sofa", memories=1),
    ]
    assert graph.edges() == [
        Edge(source="Cats", target="Whiskers", weight=2),
        Edge(source="Whiskers", target="blue sofa", weight=1),
    ]
    assert graph.edges(among=["Cats", "Whiskers"]) == [Edge(source="Cats", target="Whiskers", weight=2)]
    assert (graph.concepts(1), graph.edges(1)) == (graph.concepts()[:1], graph.edges()[:1])
    assert len(graph) == 3


def test_a_part_of_a_phrase_counts_where_it_stands_alone_elsewhere():
    graph = graph_of([["dog food"], ["dogs"], ["food bowl"]])
    assert [(one.name, one.memories) for one in graph.concepts()] == [
        ("dogs", 2),
        ("dog food", 1),
        ("food bowl", 1),
    ]
    assert graph.edges() == [Edge(source="dog food", target="dogs", weight=1)]


def test_related_concepts_come_the_strongest_first():
    related = graph_of(TOPICS).related(["cat", "nobody knows this"])
    assert [name for name, _ in related] == ["Whiskers", "blue sofa"]
    assert related[0][1] > related[1][1] > 0
    assert graph_of(TOPICS).related([]) == []


def test_a_graph_of_nothing_is_empty_and_can_be_exported():
    graph = graph_of([])
    assert (len(graph), graph.concepts(), graph.edges(), graph.related(["cat"])) == (0, [], [], [])
    assert ET.fromstring("".join(graphml(graph))).find(f".//{NS}node") is None  # noqa: S314
    assert "skos:Concept" not in "".join(turtle(graph)).split("\n\n", 1)[1]


@given(st.lists(st.lists(NAMES, max_size=4), max_size=6))
@example([NASTY])
@example([["é", "e\u0301"], ["\u212b", "\xc5"]])
def test_graphml_is_well_formed_whatever_the_names_are(topics):
    graph = graph_of(topics)
    read = ET.fromstring("".join(graphml(graph)).encode())  # noqa: S314 - ours
    nodes = {node.get("id"): {data.get("key"): data.text for data in node} for node in read.iter(f"{NS}node")}
    assert [node["memories"] for node in nodes.values()] == [str(one.memories) for one in graph.concepts()]
    in_xml = [
        re.sub(r"[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]", "\ufffd", one.name) for one in graph.concepts()
    ]
    assert [node["name"] or "" for node in nodes.values()] == in_xml
    edges = list(read.iter(f"{NS}edge"))
    assert len(edges) == len(graph.edges())
    for edge, known in zip(edges, graph.edges(), strict=True):
        assert {edge.get("source"), edge.get("target")} <= nodes.keys()
        assert edge[0].text == str(known.weight)


ESCAPE = re.compile(r"\\(?:u([0-9A-F]{4})|(.))")
PLAIN = {"n": "\n", "r": "\r", "t": "\t", '"': '"', "\\": "\\"}
STATEMENT = re.compile(
    r'<(?P<iri>[^\x00-\x20<>"{}|^`\\]*)> a skos:Concept ; skos:prefLabel '
    r'"(?P<label>(?:[^"\\\n\r]|\\["\\nrtu])*)" ; rc:memories (?P<memories>\d+) \.'
)


@given(st.lists(st.lists(NAMES, max_size=4), max_size=6))
@example([NASTY])
def test_turtle_says_every_name_and_nothing_else(topics):
    graph = graph_of(topics)
    body = "".join(turtle(graph)).split("\n\n", 1)[1]
    lines = body.split("\n")[:-1]
    concepts, edges = lines[: len(graph)], lines[len(graph) :]
    for line, known in zip(concepts, graph.concepts(), strict=True):
        found = STATEMENT.fullmatch(line)
        assert found is not None, line
        read = ESCAPE.sub(lambda one: chr(int(one[1], 16)) if one[1] else PLAIN[one[2]], found["label"])
        assert (read, int(found["memories"])) == (known.name, known.memories)
        assert unquote(found["iri"].removeprefix(CONCEPT_IRI)) == known.name
    assert len(edges) == len(graph.edges())


@given(st.lists(st.lists(NAMES, max_size=4), max_size=6))
@example([NASTY])
def test_a_reader_of_rdf_reads_what_was_written(topics):
    pyoxigraph = pytest.importorskip("pyoxigraph")
    graph = graph_of(topics)
    read = list(pyoxigraph.parse("".join(turtle(graph)).encode(), format=pyoxigraph.RdfFormat.TURTLE))
    labels = [one.object.value for one in read if one.predicate.value.endswith("#prefLabel")]
    assert sorted(labels) == sorted(one.name for one in graph.concepts())
    assert len(read) == 3 * len(graph) + 4 * len(graph.edges())


def test_the_graph_of_a_user_holds_nothing_of_another_and_follows_changes(tmp_path):
    with Memory(tmp_path / "brain.db") as memory:
        (one,) = memory.add("Whiskers is my cat", user_id="ada")
        memory.add("Bob owns a bicycle", user_id="bob")
        assert Edge(source="cat", target="whiskers", weight=1) in memory.graph.concepts(user_id="ada").edges()
        memory.update(str(one.id), user_id="ada", content="Whiskers is my neighbour")
        names = {concept.name for concept in memory.graph.concepts(user_id="ada").concepts()}
        assert "neighbour" in names
        assert not names & {"cat", "bicycle", "Bob"}
        memory.delete(str(one.id), user_id="ada")
        assert len(memory.graph.concepts(user_id="ada")) == 0
        assert len(memory.graph.concepts(user_id="nobody")) == 0
