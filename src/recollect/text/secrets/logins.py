"""Passwords behind a user's name, and answers to security questions."""

import re
from collections.abc import Iterator
from typing import Final

from recollect.text.secrets import lexicon
from recollect.text.secrets.links import words
from recollect.text.secrets.plain_words import speaks_about
from recollect.text.secrets.shapes import is_strong
from recollect.text.secrets.spans import Secret
from recollect.text.secrets.stretches import Stretch


def find_logins(stretch: Stretch) -> Iterator[Secret]:
    """Passwords behind a user's name and answers to security questions, in no order."""
    yield from _pairs(stretch)
    yield from _logins(stretch)
    yield from _answers(stretch)


def _pairs(stretch: Stretch) -> Iterator[Secret]:
    """Passwords behind a user's name: "login: ada / hunter2", "ada@example.com / hunter2"."""
    begin, end = stretch.bounds
    for match in _PAIR.finditer(stretch.text, begin, end):
        user, value = match["user"], match["value"].rstrip(".,;:?)")
        told = _LOGIN.search(stretch.low, max(begin, match.start() - _BEFORE), match.end() + _BEHIND)
        is_mail = "@" in user[1:-1]
        odd = _MIXED.search(value) is not None and "@" not in value[1:-1]
        named = (
            (told or (odd and user.lower() in _USUAL))
            and (is_mail or odd or "." in user or user.lower() in _USUAL)
            and _BARE.fullmatch(value)
        )
        listed = _LISTED.search(stretch.low, max(begin, match.start() - _BEFORE), match.start()) is not None
        named = named or (listed and not user[0].isupper() and _BARE.fullmatch(value))
        ends = odd or _ENDS.match(stretch.text, match.start("value") + len(value))
        if (is_mail and odd) or (named and ends):
            yield Secret(kind="password", start=match.start("value"), end=match.start("value") + len(value))


def _logins(stretch: Stretch) -> Iterator[Secret]:
    """What is told to log in with, and is no user's name: "Windows logon: Welcome123"."""
    for match in _LOGGED.finditer(stretch.text, *stretch.bounds):
        value = match["value"].rstrip(".,;:?)")
        if is_strong(value) or (
            _CASES.search(value) and not lexicon.NOUNS.search(stretch.low, match.end(), match.end() + _BEFORE)
        ):
            yield Secret(kind="password", start=match.start("value"), end=match.start("value") + len(value))


def _answers(stretch: Stretch) -> Iterator[Secret]:
    """The answers to security questions."""
    question = _QUESTION.search(stretch.low, *stretch.bounds)
    if not question:
        return
    end = min(question.end() + _ANSWER_REACH, stretch.tokens[-1].end)
    for match in _ANSWER.finditer(stretch.text, question.end(), end):
        group = match.lastgroup or ""
        first = match[group].split()[0]
        if not speaks_about(first, "en") and first.lower() not in _ARTICLES:
            yield Secret(kind="security answer", start=match.start(group), end=match.end(group))
            return


_BEFORE: Final = 60
"""Characters before a user's name that may say "login". Chosen by hand, like the next."""
_BEHIND: Final = 25
_ANSWER_REACH: Final = 120
_PAIR: Final = re.compile(
    r"(?<![\w/.:\u3010])(?P<user>[A-Za-z][\w.+-]{1,40}(?:@[\w.-]{3,60})?)(?: ?/ | / ?"
    r"|:|(?<=admin)/|(?<=root)/|(?<=user)/|(?<=guest)/)(?P<value>[^\s,;/\"\u3010\u3011\[\]]{4,64})(?! ?/)"
)
_LOGIN: Final = re.compile(
    r"log-?ins?\b|log ?on|sign[- ]?in|credential|zugang|anmeld|einlogg|identifiant|connexion"
    r"|se connecter|usuario|usuário|acceso|acesso|entras?\b|entrar|inlogg|logga in|creds|benutzer"
    r"|compte|cuenta|conta\b|konto|account|user"
)
_LISTED: Final = re.compile(
    r"(?:log-?in|credentials?|creds|zugang(?:sdaten)?|identifiants?|credenciais|credenciales|inlogg\w*|acceso|acesso)"
    r"[^.:\n]{0,25}:\s*\Z"
)
"""Before a user's name and a plain password: "credentials for the wiki: alice / wonderland"."""
_LOGGED: Final = re.compile(
    r"(?i:log-?in|log-?on|sign-?in|anmeldung|connexion|inicio de sesión|inloggning|credentials?"
    r"|creds)(?: (?i:is|ist|est|es|är|é))? ?[:=]? (?P<value>[^\s,;/@\"]{6,64})"
)
_CASES: Final = re.compile(r"(?=.*\d)(?=.*[a-z])(?=.*[A-Z])(?!.*[.@])")
_ENDS: Final = re.compile(r"[ \t]*(?:[.,;!?)\n]|\Z)")
_USUAL: Final = words("admin root user guest pi administrator gast invité invitado sa test")
_MIXED: Final = re.compile(r"(?=.*\d)(?=.*[^\W\d_])|\w[!@#$%^&*+=?]\w|[!#$]\Z")
_BARE: Final = re.compile(r"[^\s@/]{4,64}")
_QUESTION: Final = re.compile(
    r"security (?:question|answer)|secret (?:question|answer)|sicherheits(?:frage|antwort)|geheimfrage"
    r"|(?:question|réponse) (?:de sécurité|secrète)|(?:pregunta|respuesta) (?:de seguridad|secreta)"
    r"|säkerhetsfråga|kontrollfråga|(?:pergunta|resposta) (?:de segurança|secreta)"
)
_NAME: Final = r"(?:[^\W\d_][\w'\u2019-]{1,30})(?: [^\W\d_a-z][\w'\u2019-]{1,30}){0,3}"
_END: Final = r"(?=\s*(?:[.!?,;\n(]|\Z)| (?:and|und|et|y|och|e) )"
_ANSWER: Final = re.compile(
    r"(?i:\b(?:i (?:always )?(?:put|answered|said|wrote|used?|went with|chose|typed|picked|gave)(?: was| is)?"
    r"|answer(?:'s| is| was)?|steht|stand|står|figura|consta|(?:it's|set to) |antwort(?: ist| lautet)?"
    r"|ist die antwort|ich (?:habe?|nahm|schrieb)|j'ai (?:mis|répondu|choisi|écrit)|réponse(?: est"
    r"|, c'est)?|puse|respondí|escribí|contesté|respuesta(?: es)?|pus|respondi|coloquei|escrevi|botei"
    r"|resposta(?: é)?|svarade|skrev|angav|svaret(?: är)?|har jag (?:svarat|skrivit|angett)|svarat"
    r"|skrivit))"
    rf"(?: jag| ich| eu)?\s?:?\s+[\"'\u201c\u201e\u00ab]?\s?(?P<said>{_NAME}){_END}"
    rf"|(?i:hab|habe|ich) (?:\w+ )?(?P<before>{_NAME})"
    r"(?= (?:angegeben|geschrieben|genommen|eingetragen|gewählt|geantwortet|gesagt))"
    rf"|(?:\b(?:is|was|are|ist|war|lautet|est|es|är|é|era)|[:=?>\u2192])[ \t]+[\"'\u201c\u201e\u00ab]?"
    rf"(?P<last>(?=[A-Z\u00c0-\u00dd]){_NAME})[\"'\u201d\u201c\u00bb]?\s?[.!]?(?=\s*(?:\n|\Z))"
)
_ARTICLES: Final = words(
    "a an the my in on i it's what which der die das le la les el los o os min mitt j'ai"
)
