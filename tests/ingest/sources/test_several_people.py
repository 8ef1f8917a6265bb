"""Chats of several people: WhatsApp, Slack, Telegram, Discord, mail."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from tests.ingest.sources.exports import (
    discord_channel,
    discord_message,
    mail,
    slack_files,
    slack_message,
    telegram_message,
    write,
    zipped,
)

from recollect import Memory
from recollect.errors import InvalidInputError
from recollect.ingest.sources.values import digest_of


def talk(said: Any) -> list[tuple[str, str | None, str]]:
    return [(one.origin.role, one.origin.speaker, one.content) for one in said()]


def times(said: Any) -> list[str]:
    return [f"{one.times.happened_at:%Y-%m-%d %H:%M:%S}" for one in said()]


# WhatsApp

ANDROID = """\
31/12/25, 23:58 - Messages and calls are end-to-end encrypted. Tap to learn more.
31/12/25, 23:59 - Ada: Happy new year!
And a good one
01/01/26, 00:01 - Bob: You too: all of you
01/01/26, 00:02 - Bob: <Media omitted>
01/01/26, 00:03 - Bob: This message was deleted
01/01/26, 00:04 - Ada: Thanks <This message was edited>
"""
IOS = """\
\ufeff[12/31/25, 11:58:59\u202fPM] Bob: \u200eMessages and calls are end-to-end encrypted.
\u200e[12/31/25, 11:59:00\u202fPM] Ada: Happy new year!
[1/1/26, 12:01:00\u202fAM] ~\u202fBob: You too
\u200e[1/1/26, 12:02:00\u202fAM] Bob: \u200eimage omitted
[1/1/26, 12:03:00\u202fAM] Ada: look \u200e<attached: 0001-PHOTO.jpg>
"""


def test_a_chat_from_android_is_read(tmp_path: Path, memory: Memory, imported, said) -> None:
    done = imported(write(tmp_path / "WhatsApp Chat with Bob.txt", ANDROID), me="ada")
    assert talk(said) == [
        ("user", "Ada", "Happy new year!\nAnd a good one"),
        ("other", "Bob", "You too: all of you"),
        ("user", "Ada", "Thanks"),
    ]
    assert times(said) == ["2025-12-31 23:59:00", "2026-01-01 00:01:00", "2026-01-01 00:04:00"]
    assert done.left_out == {"notices": 1, "messages without words (media, deleted, notices)": 2}
    assert done.speakers == {"Ada": 2, "Bob": 1}
    (session,) = memory.sessions.list(user_id="ada")
    assert (session.id, session.title) == ("whatsapp-Bob-20251231T235900", "Bob")


def test_a_chat_from_an_iphone_is_read(tmp_path: Path, imported, said) -> None:
    imported(zipped(tmp_path / "WhatsApp Chat - Bob (2).zip", {"_chat.txt": IOS}), me="Ada")
    assert talk(said) == [
        ("user", "Ada", "Happy new year!"), ("other", "Bob", "You too"), ("user", "Ada", "look"),
    ]  # fmt: skip
    assert times(said) == ["2025-12-31 23:59:00", "2026-01-01 00:01:00", "2026-01-01 00:03:00"]
    assert said()[0].scope.session_id == "whatsapp-Bob-20251231T235900"


@pytest.mark.parametrize(
    ("dates", "days"),
    [
        (["13/2/26", "1/3/26"], ["2026-02-13", "2026-03-01"]),
        (["2/13/26", "3/1/26"], ["2026-02-13", "2026-03-01"]),
        (["2026-02-03", "2026-03-01"], ["2026-02-03", "2026-03-01"]),
        (["01.02.2026", "05.02.2026", "01.03.2026"], ["2026-02-01", "2026-02-05", "2026-03-01"]),
        (["02/01/2026", "02/05/2026", "03/01/2026"], ["2026-02-01", "2026-02-05", "2026-03-01"]),
        (["03.04.26"], ["2026-04-03"]),
        (["1/2/70"], None),
        (["3/4/26", "3/4/26"], None),
    ],
)
def test_the_order_of_dates_shows_in_the_whole_file(
    tmp_path: Path, imported, said, dates: list[str], days: list[str] | None
) -> None:
    path = write(tmp_path / "chat.txt", "".join(f"{date}, 10:00 - Ada: {date}\n" for date in dates))
    if days is None:
        with pytest.raises(InvalidInputError, match="--date-order"):
            imported(path, me="Ada")
        return
    imported(path, me="Ada")
    assert [f"{one.times.happened_at:%Y-%m-%d}" for one in said()] == days


def test_the_order_of_dates_and_the_time_zone_can_be_said_and_corrected(tmp_path: Path) -> None:
    path = write(tmp_path / "chat.txt", "3/4/26, 10:00 - Ada: Hi\n")
    for zone, order, expected in (
        ("UTC", "dmy", datetime(2026, 4, 3, 10, tzinfo=UTC)),
        ("Europe/Oslo", "mdy", datetime(2026, 3, 4, 9, tzinfo=UTC)),
    ):
        with Memory(tmp_path / "b.db", embedder="hashing", timezone=zone) as memory:
            memory.import_file(path, user_id="ada", me="Ada", date_order=order)
            (one,) = memory.get_all(user_id="ada")
            assert one.times.happened_at == expected


def test_a_chat_that_grew_adds_what_is_new_and_equal_words_stay_two(tmp_path: Path, imported, said) -> None:
    path = write(tmp_path / "chat.txt", "13/2/26, 10:00 - Ada: Hi\n" * 2)
    assert imported(path, me="Ada").stored == 2
    write(path, "13/2/26, 10:00 - Ada: Hi\n" * 2 + "13/2/26, 10:01 - Bob: Ho\n")
    done = imported(path, me="Ada")
    assert (done.stored, done.duplicate) == (1, 2)


def test_a_pause_of_a_night_begins_another_conversation(tmp_path: Path, memory: Memory, imported) -> None:
    lines = "13/2/26, 10:00 - Ada: Hi\n13/2/26, 15:00 - Bob: Ho\n14/2/26, 10:00 - Ada: Hi\n"
    assert imported(write(tmp_path / "chat.txt", lines), me="Ada").conversations == 2
    assert [one.message_count for one in memory.sessions.list(user_id="ada")] == [1, 2]


def test_who_the_user_is_must_be_known(tmp_path: Path, memory: Memory, imported) -> None:
    path = write(tmp_path / "chat.txt", "13/2/26, 10:00 - Ada: Hi\n13/2/26, 15:00 - Bob: Ho\n")
    assert imported(path, dry_run=True).unknown_user
    with pytest.raises(InvalidInputError, match=r"--me NAME\): Ada, Bob"):
        imported(path)
    with pytest.raises(InvalidInputError, match="nobody is called 'Eve'"):
        imported(path, me="Eve")
    assert memory.users() == []


IOS_NOTICE = (
    "[03.01.24, 20:15:09] Ines: \u200eNachrichten sind Ende-zu-Ende-verschlüsselt. Niemand kann sie lesen.\n"
)


def test_a_chat_is_known_again_under_every_file_name(tmp_path: Path, memory: Memory, imported) -> None:
    chat = IOS_NOTICE + "[03.01.24, 20:16:00] Ines: Hallo\n[03.01.24, 20:17:00] Ada: Hi\n"
    assert imported(write(tmp_path / "_chat.txt", chat), me="Ada").stored == 2
    for path in (
        zipped(tmp_path / "WhatsApp Chat - Ines.zip", {"_chat.txt": chat}),
        write(tmp_path / "body.txt", chat),
    ):
        assert imported(path, me="Ada").duplicate == 2
    assert [one.title for one in memory.sessions.list(user_id="ada")] == ["Ines"]


def test_an_impossible_time_of_whatsapp_is_named_as_it_is_written(tmp_path: Path, imported) -> None:
    chat = "99/99/9999, 99:99 - Ada: Hi\n"
    done = imported(write(tmp_path / "chat.txt", chat), date_order="dmy", dry_run=True)
    assert [one.reason for one in done.broken] == ["99/99/9999 99:99 is no time in the order dmy"]


def whatsapp_lines(*minutes: int) -> str:
    return "".join(f"13/2/26, 10:0{one} - Ada: Words {one}\n" for one in minutes)


def test_an_export_without_earlier_lines_brings_nothing_twice_and_nothing_back(
    tmp_path: Path, memory: Memory, imported, said
) -> None:
    path = write(tmp_path / "chat.txt", whatsapp_lines(0, 1, 2, 3, 4))
    imported(path, me="Ada")
    memory.delete(said()[2].id, user_id="ada")
    done = imported(write(path, whatsapp_lines(2, 3, 4, 5)), me="Ada")
    assert (done.deleted, done.duplicate, done.stored) == (1, 2, 1)
    assert imported(write(path, whatsapp_lines(2, 4, 5)), me="Ada").duplicate == 2
    assert [one.content for one in said()] == [f"Words {one}" for one in (0, 1, 3, 4, 5)]


def test_a_chat_that_was_imported_under_former_ids_is_known_again(
    tmp_path: Path, memory: Memory, imported, said
) -> None:
    before = ("", "")
    for one in range(3):
        raw = f"13/2/26 10:0{one}:None"
        key = f"whatsapp:{digest_of(raw, 'Ada', f'Words {one}', *before)}"
        told = {"role": "user", "name": "Ada", "content": f"Words {one}", "idempotency_key": key}
        memory.add({**told, "metadata": {"imported_from": "whatsapp"}}, user_id="ada")
        before = raw, "Ada"
    memory.delete(said()[1].id, user_id="ada")
    path = write(tmp_path / "chat.txt", whatsapp_lines(0, 1, 2, 3))
    assert imported(path, me="Ada", dry_run=True).expected == {"duplicate": 2, "deleted": 1, "new": 1}
    done = imported(path, me="Ada")
    assert (done.duplicate, done.deleted, done.stored) == (2, 1, 1)


def test_the_same_greeting_to_two_people_is_two_messages(tmp_path: Path, imported, said) -> None:
    for number, name in enumerate(("Bob", "Cleo"), start=1):
        chat = f"30/12/25, 0{number}:00 - {name}: Hello\n31/12/25, 23:59 - Ada: Happy new year!\n"
        assert imported(write(tmp_path / f"WhatsApp Chat with {name}.txt", chat), me="Ada").stored == 2


def test_a_greeting_to_one_person_is_known_again_without_the_lines_before_it(
    tmp_path: Path, imported, said
) -> None:
    greeting = "31/12/25, 23:59 - Ada: Happy new year!\n"
    path = tmp_path / "WhatsApp Chat with Bob.txt"
    imported(write(path, f"30/12/25, 01:00 - Bob: Hello\n{greeting}"), me="Ada")
    assert imported(write(path, greeting), me="Ada").duplicate == 1
    assert imported(write(path, f"{greeting}1/1/26, 00:01 - Bob: Thanks\n"), me="Ada").stored == 1


@pytest.mark.parametrize(
    ("written", "words"),
    [
        ("Diese Nachricht wurde gelöscht.", None),
        ("Du hast diese Nachricht gelöscht.", None),
        ("Ce message a été supprimé", None),
        ("Bis morgen <Diese Nachricht wurde bearbeitet.>", "Bis morgen"),
        ("Até já \u200e<Mensagem editada>", "Até já"),
        ("IMG-20240101-WA0001.jpg (Datei angehängt)\nUnser Garten", "Unser Garten"),
        ("My CV.pdf (file attached)", None),
        ("UMFRAGE:\nPizza?\nOPTION: Ja (1 Stimme)", None),
        ("Is a < b > c?", "Is a < b > c?"),
    ],
)
def test_what_whatsapp_writes_itself_is_left_out_in_every_language(
    tmp_path: Path, imported, said, written: str, words: str | None
) -> None:
    imported(write(tmp_path / "chat.txt", f"13/2/26, 10:00 - Ada: {written}\n"), me="Ada")
    assert [one.content for one in said()] == ([words] if words else [])


def test_a_notice_with_a_colon_in_quotes_has_no_speaker(tmp_path: Path, imported) -> None:
    chat = (
        "13/2/26, 10:00 - Ada hat den Betreff zu „Familie: Fest“ geändert.\n"
        '13/2/26, 10:01 - Robert "Bob" Smith: Hi\n'
    )
    done = imported(write(tmp_path / "chat.txt", chat), dry_run=True)
    assert (done.speakers, done.left_out) == ({'Robert "Bob" Smith': 1}, {"notices": 1})


@pytest.mark.parametrize(
    ("said", "is_notice"),
    [
        ('Rob 5": Hi', False),
        ('Rob 5": "Hi"', False),
        ("Ines „die Große: Hi", False),
        ('Ada changed the group name from "A: B" to "C"', True),
        ('Ada changed the group name from "A" to "B: C"', True),
        ("Ada a changé le sujet en « Fête : samedi »", True),
    ],
)
def test_a_name_may_have_one_quotation_mark(tmp_path: Path, imported, *, said: str, is_notice: bool) -> None:
    chat = f'13/2/26, 10:00 - {said}\n13/2/26, 10:01 - Ines: Ho\nand he says "\n'
    done = imported(write(tmp_path / "chat.txt", chat), dry_run=True)
    assert (done.messages, done.left_out["notices"]) == ((1, 1) if is_notice else (2, 0))


# Slack


def test_a_workspace_of_slack_is_read(tmp_path: Path, memory: Memory, imported, said) -> None:
    done = imported(
        zipped(
            tmp_path / "slack.zip",
            slack_files(
                slack_message(
                    1,
                    "U1",
                    "Hi <@U2> in <#C9|general>, see <https://x.org/a|this> and <http://y.org|y.org>",
                ),
                slack_message(2, "U2", "joined", subtype="channel_join"),
                slack_message(3, "U1", "A thread", thread_ts="1700000180.000200", reply_count=1),
                slack_message(4, "U2", "Mean &amp; while"),
                slack_message(5, "U2", "An answer", thread_ts="1700000180.000200"),
                slack_message(
                    6,
                    "U2",
                    "",
                    blocks=[{"elements": [{"elements": [{"type": "text", "text": "In a block"}]}]}],
                ),
                {"type": "message", "bot_id": "B1", "text": "beep", "ts": "1700000500.000100"},
            ),
        ),
        me="Ada",
    )
    assert talk(said) == [
        ("user", "Ada", "Hi @Bob in #general, see this (https://x.org/a) and y.org"),
        ("other", "Bob", "Mean & while"),
        ("other", "Bob", "In a block"),
        ("user", "Ada", "A thread"),
        ("other", "Bob", "An answer"),
    ]
    assert done.left_out == {"notices of Slack and bots": 2}
    assert {(one.id, one.title, one.message_count) for one in memory.sessions.list(user_id="ada")} == {
        ("slack-C9-20231114T221420", "#general", 3), ("slack-C9-thread-1700000180.000200", "#general", 2),
    }  # fmt: skip
    assert said()[0].idempotency_key == "slack:C9:1700000060.000200"


# Telegram


def test_one_chat_of_telegram_is_read(tmp_path: Path, memory: Memory, imported, said) -> None:
    chat = {
        "name": "Bob",
        "type": "personal_chat",
        "id": 77,
        "messages": [
            telegram_message(1, "Ada", ["See ", {"type": "link", "text": "x.org"}, "!"]),
            {"id": 2, "type": "service", "action": "phone_call"},
            telegram_message(3, "Bob", "I did"),
            telegram_message(4, "Bob", "", file="photo.jpg"),
        ],
    }
    done = imported(write(tmp_path / "result.json", chat), me="Ada")
    assert talk(said) == [("user", "Ada", "See x.org!"), ("other", "Bob", "I did")]
    assert done.left_out == {"notices": 1, "messages without words": 1}
    assert said()[0].idempotency_key == "telegram:77:1"
    assert [one.title for one in memory.sessions.list(user_id="ada")] == ["Bob"]


def test_an_export_of_all_of_telegram_says_who_the_user_is(tmp_path: Path, imported, said) -> None:
    chats = [
        {"name": name, "type": "personal_chat", "id": number, "messages": [telegram_message(1, "Ada", name)]}
        for number, name in enumerate(("Bob", "Cleo"))
    ]
    export = {"personal_information": {"user_id": 3}, "chats": {"about": "", "list": chats}}
    done = imported(write(tmp_path / "result.json", export))
    assert talk(said) == [("user", "Ada", "Bob"), ("user", "Ada", "Cleo")]
    assert done.conversations == 2


# Discord


def test_a_channel_of_discord_is_read(tmp_path: Path, memory: Memory, imported, said) -> None:
    bot = discord_message(3, "Bot", "beep")
    bot["author"]["isBot"] = True
    channel = discord_channel(
        discord_message(1, "Ada", "Hi"),
        discord_message(2, "Bob", "Ho", type="Reply"),
        bot,
        discord_message(4, "Bob", "", type="Default"),
        discord_message(5, "Bob", "joined", type="GuildMemberJoin"),
    )
    done = imported(write(tmp_path / "roses.json", channel), me="Ada")
    assert talk(said) == [("user", "Ada", "Hi"), ("other", "Bob", "Ho")]
    assert done.left_out == {"messages of bots and of Discord": 2, "messages without words": 1}
    assert [one.title for one in memory.sessions.list(user_id="ada")] == ["Garden #roses"]


# Mail


@pytest.mark.parametrize("charset", ["unknown-8bit", "x-unknown", "cp-850", "utf8mb4", "ISO-8859-8-I"])
@pytest.mark.parametrize("encoding", ["utf-8", "cp1252"])
def test_a_mail_in_a_charset_nobody_knows_is_read(
    tmp_path: Path, imported, said, charset: str, encoding: str
) -> None:
    path = tmp_path / "all.mbox"
    path.write_bytes(mail(0, "Ada <ada@x.org>", "Um drei im Café").replace("utf-8", charset).encode(encoding))
    done = imported(path, me="Ada")
    assert (done.broken, [one.content for one in said()]) == ([], ["Um drei im Café"])


def mail_with(middle: str) -> str:
    head = "From 1@xxx Mon Mar 02 10:00:00 +0000 2026\nFrom: Ada <ada@x.org>\n"
    return f"{head}{middle}Content-Type: text/plain\n\nWords\n"


def parts_in_parts(count: int) -> str:
    return "".join(
        f'Content-Type: multipart/mixed; boundary="b{place}"\n\n--b{place}\n' for place in range(count)
    )


def test_a_mail_whose_parts_are_nested_too_deep_is_named_in_words(tmp_path: Path, imported) -> None:
    path = write(
        tmp_path / "all.mbox", f"{mail_with(parts_in_parts(100_000))}\n{mail_with(parts_in_parts(20))}"
    )
    done = imported(path, dry_run=True)
    assert [(one.where, one.reason) for one in done.broken] == [
        ("all.mbox, mail 1", "its parts are nested too deep")
    ]
    assert done.messages == 1


@pytest.mark.parametrize(
    "header",
    [
        f"Subject: Lunch {'=?utf-8?b?YQ==?= ' * 60_000}",
        f"References: {'<1@x> ' * 200_000}",
        f"Content-Type: text/plain; {'x=y; ' * 200_000}",
        f"X-Gmail-Labels: {'a, ' * 200_000}",
    ],
)
def test_of_a_header_that_does_not_end_the_beginning_is_read(
    tmp_path: Path, imported, said, header: str
) -> None:
    done = imported(write(tmp_path / "all.mbox", mail_with(f"{header}\n")), me="Ada")
    assert (done.broken_count, [one.content for one in said()]) == (0, ["Words"])


def test_a_mailbox_is_read_thread_by_thread_without_quotes(
    tmp_path: Path, memory: Memory, imported, said
) -> None:
    quoted = "At noon.\n\nOn Mon, 2 Mar 2026, Ada wrote:\n> Lunch?"
    done = imported(
        write(
            tmp_path / "all.mbox",
            mail(0, "Ada <ada@x.org>", "Lunch?\n> old\n>From noon on I am in.\n>>From old")
            + mail(1, "Bob <bob@x.org>", quoted, "In-Reply-To: <0@example.org>", subject="Re: Lunch")
            + mail(2, "=?utf-8?q?C=C3=A9cile?= <c@x.org>", "Hello", subject="Other")
            + mail(3, "spam@x.org", "Buy", "X-Gmail-Labels: Spam,Unread")
            + mail(4, "Bob <bob@x.org>", "> only quotes"),
        ),
        me="ada@x.org",
    )
    assert talk(said) == [
        ("user", "Ada", "Lunch?\nFrom noon on I am in."),
        ("other", "Bob", "At noon."),
        ("other", "Cécile", "Hello"),
    ]
    assert times(said) == ["2026-03-02 09:00:00", "2026-03-02 10:00:00", "2026-03-02 11:00:00"]
    assert done.left_out == {"mails in spam and trash": 1, "mails without words": 1}
    assert [(one.title, one.message_count) for one in memory.sessions.list(user_id="ada")] == [
        ("Other", 1), ("Lunch", 2),
    ]  # fmt: skip


def test_blanks_in_a_message_of_whatsapp_take_no_time(tmp_path: Path, imported, said) -> None:
    blanks = " " * 100_000
    chat = f"13/2/26, 10:00 - Ada: a{blanks}b <This message was edited>\n13/2/26, 10:01 - Bob: Fine\n"
    imported(write(tmp_path / "chat.txt", chat), me="Ada")
    assert [one.content for one in said()] == [f"a{blanks}b", "Fine"]


def test_a_chat_in_another_encoding_is_reported_as_such(tmp_path: Path, imported) -> None:
    chat = "25/12/2024, 18:31 - José: Grüße\n".encode("latin-1")
    done = imported(write(tmp_path / "WhatsApp Chat with José.txt", chat))
    (broken,) = done.broken
    assert broken.reason == "it is not UTF-8 text"
