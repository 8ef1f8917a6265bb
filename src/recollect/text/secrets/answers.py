"""Answers to security questions, and passwords behind a user's name."""

from collections.abc import Iterator
from typing import Final

from recollect.text.secrets.names import Name
from recollect.text.secrets.plain_words import speaks_about
from recollect.text.secrets.shapes import shape_of
from recollect.text.secrets.spans import Secret
from recollect.text.secrets.stretches import Stretch
from recollect.text.secrets.words import any_of, listed, words
from recollect.types.regex import lazy_regex


def find_answers(stretch: Stretch, names: tuple[Name, ...]) -> Iterator[Secret]:
    """The answers to security questions: "Security question, first pet: I put Pickles"."""
    question = next((name for name in names if name.kind == "answer"), None)
    if question is None:
        return
    start = stretch.tokens[question.last].end
    is_asked = _QUESTION.search(stretch.low, *stretch.bounds) is not None
    for match in _ANSWER.finditer(stretch.text, start, min(start + _REACH, stretch.tokens[-1].end)):
        group = match.lastgroup or ""
        first = match[group].split()[0]
        is_name = " " in match[group] or not speaks_about(first, "en")
        if any(stretch.tokens[name.first].start == match.start(group) for name in names):
            continue
        if (is_asked or group != "last") and is_name and first.lower() not in _NO_ANSWERS:
            yield Secret(kind="security answer", start=match.start(group), end=match.end(group))
            return


def find_logins(stretch: Stretch) -> Iterator[Secret]:
    """Passwords behind a user's name: "login: ada / hunter2", "ada@example.com / hunter2"."""
    begin, end = stretch.bounds
    for match in _PAIR.finditer(stretch.text, begin, end):
        user, value = match["user"], match["value"].rstrip(".,;:?)*`")
        before = stretch.low[max(begin, match.start() - _NEAR) : match.start()]
        is_odd = shape_of(value) in {"odd", "joined"} and "@" not in value[1:-1]
        is_user = "@" in user or "." in user or user.lower() in _USUAL
        is_login = _LOGIN.search(stretch.low, max(begin, match.start() - _NEAR), match.end() + _NEAR // 2)
        is_listed = _LISTED.search(before) and not user[0].isupper()
        ends = is_odd or _ENDS.match(stretch.text, match.start("value") + len(value))
        is_pair = (
            is_odd
            and (match[0][len(user) : -len(match["value"])].strip(" ,") or ("@" in user and is_login))
            and (is_user or is_login or before.endswith(": "))
        )
        if (is_pair or (is_login and is_user) or is_listed) and ends and _BARE.fullmatch(value):
            yield Secret(kind="password", start=match.start("value"), end=match.start("value") + len(value))


_REACH, _NEAR = 120, 60
"""Characters behind a question that may hold its answer, and before a user's name that may say "login". These
are chosen by hand."""
_PAIR: Final = lazy_regex(
    r"(?<![\w/.:\u3010])(?P<user>[A-Za-z][\w.+-]{1,40}(?P<mail>@[\w.-]{3,60})?)"
    r"(?: ?/ | / ?|:|, (?=\S*\d)|(?(mail) (?:\+ )?(?=\S*[\d!#$%&*])|(?!))"
    r"|(?<=admin) (?:and|und|et|y|e|en|och) |(?<=admin)/|(?<=root)/|(?<=user)/|(?<=guest)/)"
    r"(?P<value>[^\s,;/\"\u3010\u3011\[\]]{4,64})(?! ?/)"
)
_LOGIN: Final = lazy_regex(any_of("logs in"))
_LISTED: Final = lazy_regex(
    r"(?:log-?in|credentials?|creds|zugang(?:sdaten)?|identifiants?|credenciais|credenciales|inlogg?\w*"
    r"|acceso|acesso"
    r"|credenziali)[^.:\n]{0,25}:\s*\Z"
)
"""Before a user's name and a plain password: "credentials for the wiki: alice / wonderland"."""
_ENDS: Final = lazy_regex(r"[ \t]*(?:[.,;!?)\n]|\Z)")
_USUAL: Final = words("admin root user guest pi administrator gast invité invitado sa test tester")
_BARE: Final = lazy_regex(r"[^\s@/]{4,64}|[^\s@/]+@[^\s@/.]+")
_PARTICLES: Final = r"(?:(?:de|des|du|del|di|da|do|dos|la|le|von|van|der|af|of|the) ){0,2}"
_NAME: Final = r"(?:[^\W\d_][\w'\u2019-]{1,30})" + rf"(?: {_PARTICLES}[^\W\d_a-z][\w'\u2019-]{{1,30}}){{0,3}}"
_END: Final = r"(?=\s*(?:[.!?,;\n(]|\Z)| (?:and|instead|und|et|y|och|e|en|use|in|if|wenn|si|se|als) )"
_ANSWER: Final = lazy_regex(
    r"(?i:\b(?:i (?:always )?(?:put|answered|said|wrote|used?|went with|chose|typed|picked|gave)(?: was| is)?"
    r"|answer(?:'s| is| was)?|steht|stand|står|figura|consta|(?:it's|set to) |antwort(?: ist| lautet)?"
    r"|ist die antwort|ich (?:habe?|nahm|schrieb)|j'ai (?:mis|répondu|choisi|écrit)|réponse(?: est"
    r"|, c'est)?|puse|respondí|escribí|contesté|respuesta(?: es)?|pus|respondi|coloquei|escrevi|botei"
    r"|resposta(?: é)?|rispondo|respondo|contesto|pongo"
    r"|je (?:mets|réponds)|svarar|antworte|svarade|skrev|angav|svaret(?: är)?"
    r"|har jag (?:svarat|skrivit|angett)|svarat|skrivit|type|ho (?:messo|scritto|risposto)"
    r"|risposta(?: è)?|antwoord(?: is)?|heb ik|ik heb))"
    rf"(?: jag| ich| eu)?\s?:?\s+[\"'\u201c\u201e\u00ab]?\s?"
    rf"(?P<said>(?=[A-Z\u00c0-\u00dd]){_NAME}|{_NAME}{_END})"
    rf"|(?i:hab|habe|ich|heb) (?:\w+ )?(?P<before>{_NAME})"
    r"(?= (?:angegeben|geschrieben|genommen|eingetragen|eingegeben|gewählt|geantwortet|gesagt|ingevuld"
    r"|gezet))"
    rf"|(?:\b(?:is|was|are|ist|war|lautet|est|es|är|é|era|è)|[:=?>\u2192,])[ \t]+[\"'\u201c\u201e\u00ab]?"
    rf"(?P<last>(?=[A-Z\u00c0-\u00dd]){_NAME})[\"'\u201d\u201c\u00bb]?\s?"
    r"(?=\s*(?:[.,!\n]|\Z)| (?:if|wenn|si|se|als)\b)"
)
_QUESTION: Final = lazy_regex(
    r"question|answer|frage|antwort|réponse|pregunta|respuesta|fråga|svar|pergunta|resposta|vraag|antwoord|domanda|risposta"
)
_NO_ANSWERS: Final = listed("no answers")
