"""What WhatsApp writes itself into a chat, in the language of the phone: deleted, edited, attached, asked."""

from typing import Final

from recollect.types.regex import lazy_regex

NOTICE: Final = "\u200e"
"""Before notices and media in files of iOS, in every language."""
_EDITED: Final = (
    "This message was edited",
    "Diese Nachricht wurde bearbeitet",
    "Ce message a été modifié",
    "Se editó este mensaje",
    "Questo messaggio è stato modificato",
    "Mensagem editada",
    "Dit bericht is bewerkt",
)
_DELETED: Final = frozenset(
    {
        "This message was deleted", "You deleted this message", "null",
        "Diese Nachricht wurde gelöscht", "Du hast diese Nachricht gelöscht",
        "Ce message a été supprimé", "Vous avez supprimé ce message",
        "Se eliminó este mensaje", "Eliminaste este mensaje",
        "Questo messaggio è stato eliminato", "Hai eliminato questo messaggio",
        "Mensagem apagada", "Esta mensagem foi apagada", "Você apagou esta mensagem",
        "Dit bericht is verwijderd", "U hebt dit bericht verwijderd", "Je hebt dit bericht verwijderd",
    }
)  # fmt: skip
_ATTACHED: Final = (
    "file attached", "Datei angehängt", "fichier joint", "archivo adjunto", "file allegato",
    "arquivo anexado", "bestand bijgevoegd",
)  # fmt: skip
_POLLS: Final = ("POLL", "UMFRAGE", "SONDAGE", "ENCUESTA", "SONDAGGIO", "ENQUETE", "PEILING")
_TITLES: Final = (
    "WhatsApp Chat with", "WhatsApp Chat mit", "WhatsApp Chat -", "Discussion WhatsApp avec",
    "Chat de WhatsApp con", "Chat WhatsApp con", "Conversa do WhatsApp com", "WhatsApp-chat met",
)  # fmt: skip
"""From exports in English, German, French, Spanish, Italian, Portuguese and Dutch, as far as known."""

_EDITED_MARK: Final = lazy_regex(
    rf"(?<!\s)\s*(?:{NOTICE}<[^<>\n]{{1,80}}>|<(?:{'|'.join(_EDITED)})\.?>)\s*\Z"
)
_FILE_INSIDE: Final = lazy_regex(rf"(?<!\s)\s*{NOTICE}?<(?:attached|[^<>\n:]{{1,30}}): [^<>\n]{{1,200}}>")
_FILE_BEFORE: Final = lazy_regex(rf"\A[^\n]{{1,200}}\.\w{{2,5}} \((?:{'|'.join(_ATTACHED)})\)(?:\n|\Z)")
_MEDIA: Final = lazy_regex(r"<[^<>\n]{1,60}>|\S+\.\w{2,4} \([^()\n]{1,40}\)")
_POLL: Final = lazy_regex(rf"\A(?:{'|'.join(_POLLS)}):\n")
_TITLE: Final = lazy_regex(rf"(?i)(?:{'|'.join(_TITLES)}) (?P<with>.+)")
_COPY: Final = lazy_regex(r" ?\(\d+\)$")
_QUOTES: Final = lazy_regex('„[^“”]*[“”]|“[^“”]*”|«[^«»]*»|"[^"]*"')
_QUOTE: Final = lazy_regex('[„“”"«»]')


def own_words(said: str) -> str:
    """The words of a message; empty where there are none."""
    words = _FILE_INSIDE.sub("", _FILE_BEFORE.sub("", _EDITED_MARK.sub("", said))).strip()
    is_notice = words.startswith(NOTICE) or _MEDIA.fullmatch(words) or _POLL.match(words)
    return "" if is_notice or words.rstrip(".") in _DELETED else words.replace(NOTICE, "")


def chat_in(file_name: str) -> str:
    """Whom a chat is with, by the name of its file.

    >>> chat_in("WhatsApp Chat mit Familie (2)"), chat_in("_chat")
    ('Familie', '_chat')
    """
    stem = _COPY.sub("", file_name)
    found = _TITLE.fullmatch(stem)
    return found["with"] if found else stem


def is_name(text: str, *, said: str) -> bool:
    """Whether what stands before a colon can be a name, and is no notice about something quoted.

    In a notice the quotation that begins before the colon ends behind it.

    >>> is_name('Robert "Bob" Smith', said="Hi"), is_name('Rob 5"', said='"Hi"')
    (True, True)
    >>> is_name("Ada hat den Betreff zu „Familie", said="Fest“ geändert.")
    False
    """
    return _is_paired(text) or not _is_paired(f"{text}: {said.partition(chr(10))[0]}")


def _is_paired(text: str) -> bool:
    return _QUOTE.search(_QUOTES.sub("", text)) is None
