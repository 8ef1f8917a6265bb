"""The context type of a text by its words: a query, a task, a conversation, a document, or mixed.

Shadow Memory activates memories by a threshold for each type. The rules, in order:

1. A text of 200 words (400 Chinese or Japanese characters), or with two signs of Markdown, is a document.
2. A sentence is a question if it ends with a question mark of any script or begins with a question word of
   English, German, French, Spanish or Chinese. "Could you book it?" is a task.
3. A sentence is a task if it commands ("Book a table", "please", "need to", "I want you to", "todo"): in
   English, and by the commonest words of the other four languages.
4. Every other sentence is conversation: greetings, thanks, statements.
5. A question with a task is mixed, and so is either with two or more statements; greetings do not count.
"""

import re
from dataclasses import dataclass
from typing import Final, Literal, get_args

from recollect.errors import InvalidInputError, as_given
from recollect.types.regex import lazy_regex

ContextType = Literal["query", "task", "conversation", "document", "mixed"]
"""Shadow Memory's kinds of context."""
CONTEXT_TYPES: Final[tuple[ContextType, ...]] = get_args(ContextType)

DOCUMENT_WORDS: Final = 200
"""Words of a text that nobody says in one breath. Chosen by hand: 2 of LoCoMo's 5,882 turns have as many."""
_DOCUMENT_HAN: Final = 400
"""Chinese and Japanese characters: about two make a word."""
_GLANCE: Final = 20_000
"""Characters looked at; a longer text is a document. Chosen by hand."""
_STRUCTURE: Final = 2
"""Signs of Markdown; one alone may be a dash."""
_STATEMENTS: Final = 2
"""One statement beside a question is its setting; two are a conversation that asks something."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DetectedContext:
    """The kind of a context, and in one line what in the text decided."""

    type: ContextType
    reason: str


def detect_context_type(text: str) -> DetectedContext:
    """The kind of context a text is, with the reason.

    A text without a word (blank, emoji) is conversation, the kind that activates most readily.

    Raises:
        InvalidInputError: It is not a text.

    >>> detect_context_type("Where did I park?")
    DetectedContext(type='query', reason='a question: "Where did I park?"')
    >>> detect_context_type("Please book a table for two.").reason
    'a task: "Please"'
    """
    if not isinstance(text, str):
        raise InvalidInputError(f"a context must be a text, not {type(text).__name__}")
    document = _document(text)
    if document:
        return DetectedContext(type="document", reason=document)
    return _of_sentences(_sentences(text))


def check_context_type(value: object) -> ContextType:
    """A kind of context that was given by its name."""
    for known in CONTEXT_TYPES:
        if isinstance(value, str) and value == known:
            return known
    raise InvalidInputError(
        f"context type {as_given(value)} is unknown; give one of {', '.join(CONTEXT_TYPES)}, or none "
        "and it is detected"
    )


def _document(text: str) -> str | None:
    """Why a text is a document; None when it is not."""
    if len(text) > _GLANCE:
        return f"a document: {len(text):,} characters"
    words, han = len(_WORD.findall(text)), len(_HAN.findall(text))
    if words >= DOCUMENT_WORDS:
        return f"a document: {words} words"
    if han >= _DOCUMENT_HAN:
        return f"a document: {han} characters"
    signs = [match.group().strip() for match in _MARKDOWN.finditer(text)]
    if len(signs) >= _STRUCTURE:
        return f"a document: Markdown, such as {_shown(signs[0])}"
    return None


def _of_sentences(sentences: list[str]) -> DetectedContext:
    found: dict[str, list[str]] = {"question": [], "task": [], "greeting": [], "statement": []}
    for sentence in sentences:
        kind, words = _kind(sentence)
        found[kind].append(words)
    questions, tasks, statements = found["question"], found["task"], found["statement"]
    if questions and tasks:
        reason = f"several: the question {_shown(questions[0])} and the task {_shown(tasks[0])}"
        return DetectedContext(type="mixed", reason=reason)
    if (questions or tasks) and len(statements) >= _STATEMENTS:
        asked = f"the question {_shown(questions[0])}" if questions else f"the task {_shown(tasks[0])}"
        return DetectedContext(type="mixed", reason=f"several: {asked} and {len(statements)} statements")
    if questions:
        return DetectedContext(type="query", reason=f"a question: {_shown(questions[0])}")
    if tasks:
        return DetectedContext(type="task", reason=f"a task: {_shown(tasks[0])}")
    return DetectedContext(type="conversation", reason=_why_conversation(found["greeting"], statements))


def _why_conversation(greetings: list[str], statements: list[str]) -> str:
    if statements:
        return f"conversation: a statement, {_shown(statements[0])}"
    return f"conversation: a greeting, {_shown(greetings[0])}" if greetings else "conversation: no words"


def _kind(sentence: str) -> tuple[str, str]:
    """What a sentence is, and the words that tell."""
    straight = sentence.replace("\u2019", "'")
    opening = _OPENING.match(straight)
    plain = straight[opening.end() :] if opening else straight
    if match := _REQUEST.search(plain):
        return "task", match.group().lstrip(" ,;:-\u2013")
    if _QUESTION_MARK.search(sentence) or _ASKS.match(plain):
        return ("greeting" if _HOW_ARE_YOU.search(straight) else "question"), sentence
    if match := _NEED.search(plain) or _COMMAND.match(plain):
        return "task", match.group()
    if len(straight) <= _GREETING_CHARS and _GREETING.fullmatch(straight):
        return "greeting", sentence
    return "statement", sentence


def _sentences(text: str) -> list[str]:
    parts = (part.strip() for part in _END.split(text))
    return [part for part in parts if _WORD.search(part) or _QUESTION_MARK.search(part)]


def _shown(words: str) -> str:
    short = " ".join(words.split())
    return f'"{short}"' if len(short) <= _SHOWN else f'"{short[:_SHOWN].rstrip()}..."'


_SHOWN: Final = 60
"""Characters of a sentence that a reason repeats. Chosen by hand."""
_GREETING_CHARS: Final = 80
"""No greeting is longer; keeps the pattern from walking through long sentences."""
_WORD: Final = lazy_regex(r"\w+")
_HAN: Final = lazy_regex("[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff]")
_MARKDOWN: Final = lazy_regex(
    r"^ {0,3}(?:#{1,6} \S.*$|(?:[-*+]|\d{1,3}[.)]) \S.*$|```|\|.+\|[ \t]*$|> \S.*$)", re.MULTILINE
)
"""Headings, list items, code fences, tables, quotations."""
_QUESTION_MARK: Final = lazy_regex("[?\uff1f\u061f\u037e\u055e\u1367\u2e2e\ufe56\u203d\u2047\u2048\u2049]")
"""Latin, full-width, Arabic, Greek, Armenian, Ethiopic, and their like."""
_END: Final = lazy_regex(
    "(?<=[.!?\u061f\u037e\u055e\u1367\u203d\u2047-\u2049])(?<!\\b[A-Z]\\.)(?<!\\b[DM]r\\.)(?<!\\bM[rs]s\\.)(?:\\s+|$)"
    "|(?<=[\u3002\uff01\uff1f])|[\n\r]+"
)
"""Where a sentence ends: not behind initials and titles; Chinese puts no blank behind."""
_OPENING: Final = lazy_regex(
    r"[\W_]*(?:(?:hi|hey|hello|ok|okay|so|and|but|well|oh|hmm|then|now|also|just|thanks|sorry|hallo|und|bonjour"
    r"|salut|et|hola|y|pues)\b(?: (?:there|again|all))?[\s,:!]+)*[\W_]*",
    re.IGNORECASE,
)
"""What may stand before a sentence gets to its point."""


def _any(*rows: str) -> str:
    """A pattern that any of the rows matches; a row may hold several alternatives."""
    return "|".join(rows)


_ASKS: Final = lazy_regex(
    "(?:{english}|{auxiliary}|{german}|{french}|{spanish})\\b|(?:{chinese})|.*[吗呢]\\W*$".format(
        english=r"(?:what|when|where|who|whom|whose|which|why|how)(?:'s|'re|'d)?\b"
        r"(?! an?\b| (?:nice|lovely|great)\b)",
        auxiliary=r"(?:do|does|did|is|are|am|was|were|has|have|had|can|could|will|would|should) (?:i|you|we"
        r"|he|she|it|they|the|my|your|our|this|that|there|any|anyone)",
        german="was|wann|wo|wer|wen|wem|wessen|welche[rsmn]?|warum|wieso|weshalb|wie|wohin|woher",
        french="que|qu'est-ce|quand|où|qui|pourquoi|comment|combien|est-ce|quel(?:le)?s?",
        spanish="qué|cuándo|dónde|quién(?:es)?|por qué|cómo|cuánt[oa]s?|cuál(?:es)?",
        chinese="什么|何时|哪|谁|为什么|怎么|多少|几",
    ),
    re.IGNORECASE,
)
"""Begins as a question does; Chinese ends with a particle too."""
_HOW_ARE_YOU: Final = lazy_regex(
    _any(
        r"\bhow(?: are|'re) you(?: doing)?(?: today)?\W*$|\bhow's it going\W*$|\bhow have you been\W*$",
        r"\bwhat's up\W*$|\bwie geht(?:'s| es)\b|\bcomment (?:ça )?va|ça va\W*$|\bcómo estás?\W*$",
        r"\bqué tal\W*$|你好吗",
    ),
    re.IGNORECASE,
)
"""A greeting in the form of a question."""
_TOLD: Final = "what|when|where|who|whom|whose|why|how|which|if|whether"
_REQUEST: Final = lazy_regex(
    _any(
        rf"\bplease\b(?! (?:let me know|tell me|remind me) (?:{_TOLD})\b)",
        r"(?:^|[,;:\u2013-] ?|\b(?:so|and|but|now|then) )(?:can|could|will|would) you "
        rf"(?!(?:remind me (?:{_TOLD})|tell|remember|recall|explain|believe|imagine|say|know|think|like|be"
        r"|ever|have|prefer|rather|describe)\b)\w+",
        r"\bbitte\b|\bkannst du (?:mir )?(?!sagen)\w+|\bs'il (?:te|vous) pla[iî]t\b|\bpor favor\b",
        "请(?!问)|麻烦你|帮我",
    ),
    re.IGNORECASE,
)
"""Asks someone to do something, also in the form of a question."""
_NEED: Final = lazy_regex(
    _any(
        r"(?<!\bif )(?<!what )(?<!that )(?<!\bwhere )\b(?:i|we)(?:'ve got| still need| need| have|'ve) to\b",
        r"\b(?:i|we)(?: need| want|(?: would|'d) like) you to\b|\bneeds to be \w+ed\b|\bdon't forget to\b",
        r"\b(?:i|we) must\b|\bto-?do(?: list)?\b|\baction items?\b",
        r"\bich muss\b|\bwir müssen\b|\berinnere mich\b|\bil faut\b|\bje dois\b|\bn'oublie pas\b",
        r"\brappelle-moi\b|\btengo que\b|\bhay que\b|\bno olvides\b|\brecuérdame\b|\bnecesito que\b",
        "提醒我|别忘了|待办",
    ),
    re.IGNORECASE,
)
"""Says that something is to be done; in a question it asks whether."""
_VERBS: Final = _any(
    "add|analy[sz]e|arrange|assign|build|buy|calculate|cancel|check|compare|compile|compose|configure|convert",
    "create|debug|delete|deploy|develop|download|draft|edit|explain|extract|find|fix|generate|get|give",
    "help me|implement|insert|install|invite|look up|make|merge|migrate|organi[sz]e|pick up|prepare|put",
    "refactor|register|remember|remind|remove|rename|replace|reschedule|restart|rewrite|save|send|show|simplify",
    "solve|sort|submit|suggest|summari[sz]e|tell|translate|turn (?:off|on)|update|upgrade|upload",
    "validate|verify|write",
)
"""English verbs that begin commands to an assistant. Chosen by hand."""
_NOUNS_TOO: Final = _any(
    "ask|book|call|change|clean|close|copy|cut|design|document|email|export|filter|format|import|list|move|open",
    "order|pay|plan|play|post|print|read|reply|review|run|schedule|search|set|share|start|stop|switch|test|use",
)
"""Verbs that are nouns or adjectives as well: a command when what is to be done stands behind them."""
_OTHER_VERBS: Final = _any(
    "schreibe?|erstelle|buche|kaufe?|sende|schicke|rufe?|zeige?|finde|suche|übersetze|erkläre|mach|lies",
    "prüfe|lösche|füge|écri(?:s|vez)|créez?|réservez?|achète|envoie|envoyez|appelle|montre",
    "trouve|cherche|traduis|explique|prépare|ajoute|supprime|vérifie|escribe|crea|reserva|compra|envía",
    "llama|muestra|encuentra|busca|traduce|explica|prepara|añade|borra|revisa|planifica",
)
"""The same of German, French and Spanish."""
_COMMAND: Final = lazy_regex(
    _any(
        rf"(?:don't |do not |never |always )?(?:{_VERBS})\b(?! (?:is|are|was|were)\b|[,.!']|$)",
        rf"(?:{_NOUNS_TOO}) (?:an?|the|my|our|me|us|it|this|that|these|those|all|some|every|one|two"
        r"|three|\d+|for)\b",
        rf"(?:{_OTHER_VERBS})\b(?=[\s-]+\w)",
        "写|翻译|订|预订|创建|总结|发送|删除|查找",
    ),
    re.IGNORECASE,
)
"""A verb at the beginning, with something behind it: "Stop!" alone names nothing to be done."""
_GREETING: Final = lazy_regex(
    "[\\W_]*(?:(?:{hello})(?: there| all| again| everyone)?(?:[ ,]+[^\\W\\d_]+)?[\\W_]*){{1,3}}".format(
        hello=_any(
            r"hi|hey|hello|howdy|greetings|good (?:morning|afternoon|evening|night)|bye|goodbye",
            r"see you(?: \w+)?|thanks?(?: you)?(?: (?:so much|a lot|again))?|cheers|take care|welcome|hallo",
            r"tschüss|danke|guten (?:morgen|tag|abend)|bonjour|salut|bonsoir|merci|au revoir|hola",
            "buenos días|gracias|buenas (?:tardes|noches)|adiós|你好|您好|早上好|谢谢|再见",
        )
    ),
    re.IGNORECASE,
)
"""A whole sentence that greets, thanks or parts, perhaps with a name."""
