r"""The concept graph in formats that other programs read: GraphML and Turtle.

Names are words of users: whatever they hold, the files are well-formed. XML has no way to write most control
characters; GraphML has "\ufffd" in their places. Turtle keeps every character.
"""

import re
from collections.abc import Iterator
from typing import Final
from urllib.parse import quote
from xml.sax.saxutils import escape

from recollect.retrieval.graph.named import ConceptGraph
from recollect.types.regex import lazy_regex

_NOT_IN_XML: Final = lazy_regex("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_RETURNS: Final = {"\r": "&#13;", "\n": "&#10;", "\t": "&#9;"}
"""A reader of XML would make blanks and line ends of them."""
_ESCAPED: Final = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r", "\t": "\\t"}
_TO_ESCAPE: Final = lazy_regex(r'[\x00-\x1f\x7f"\\]')

GRAPHML_HEAD: Final = """\
<?xml version="1.0" encoding="UTF-8"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns">
  <key id="name" for="node" attr.name="name" attr.type="string"/>
  <key id="memories" for="node" attr.name="memories" attr.type="int"/>
  <key id="weight" for="edge" attr.name="weight" attr.type="int"/>
  <graph id="concepts" edgedefault="undirected">
"""
GRAPHML_TAIL: Final = "  </graph>\n</graphml>\n"
TURTLE_HEAD: Final = """\
@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
@prefix rc: <urn:recollect:graph#> .

"""
CONCEPT_IRI: Final = "urn:recollect:concept:"
"""What the name of a concept is put behind, percent-encoded."""


def graphml(graph: ConceptGraph) -> Iterator[str]:
    """The graph as GraphML, in pieces: nodes with ``name`` and ``memories``, edges with ``weight``."""
    yield GRAPHML_HEAD
    numbers: dict[str, int] = {}
    for concept in graph.concepts():
        number = numbers.setdefault(concept.name, len(numbers))
        yield (
            f'    <node id="n{number}"><data key="name">{_xml(concept.name)}</data>'
            f'<data key="memories">{concept.memories}</data></node>\n'
        )
    for edge in graph.edges():
        yield (
            f'    <edge source="n{numbers[edge.source]}" target="n{numbers[edge.target]}">'
            f'<data key="weight">{edge.weight}</data></edge>\n'
        )
    yield GRAPHML_TAIL


def turtle(graph: ConceptGraph) -> Iterator[str]:
    """The graph as Turtle, in pieces.

    A concept is a ``skos:Concept`` with its ``skos:prefLabel`` and in how many ``rc:memories`` it is; an edge
    is an ``rc:CoOccurrence`` of two ``rc:concept`` with its ``rc:weight``.
    """
    yield TURTLE_HEAD
    for concept in graph.concepts():
        yield (
            f"<{_iri(concept.name)}> a skos:Concept ; skos:prefLabel {_literal(concept.name)} ; "
            f"rc:memories {concept.memories} .\n"
        )
    for edge in graph.edges():
        yield (
            f"[] a rc:CoOccurrence ; rc:concept <{_iri(edge.source)}>, <{_iri(edge.target)}> ; "
            f"rc:weight {edge.weight} .\n"
        )


def _xml(text: str) -> str:
    return escape(_NOT_IN_XML.sub("\ufffd", text), _RETURNS)


def _iri(name: str) -> str:
    return CONCEPT_IRI + quote(name, safe="")


def _literal(text: str) -> str:
    return '"' + _TO_ESCAPE.sub(_escaped, text) + '"'


def _escaped(match: re.Match[str]) -> str:
    return _ESCAPED.get(match[0]) or f"\\u{ord(match[0]):04X}"
