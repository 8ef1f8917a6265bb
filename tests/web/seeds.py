"""A user's memories over half a year, so that every page has something to show."""

from datetime import UTC, datetime, timedelta
from typing import Final

from recollect import Memory

BEGUN: Final = datetime(2026, 5, 11, 9, 30, tzinfo=UTC)
DAYS_BETWEEN: Final = (6, 13, 9, 17, 11, 8, 21, 14, 10, 19, 12, 16)
"""Days from each session to the next."""
SESSIONS: Final = (
    (
        "I live in Lisbon and I work as a compiler engineer.",
        "My sister is called Nora and she is allergic to walnuts.",
        "The flat in Alfama has a lemon tree on the balcony.",
        "I prefer trains to planes.",
    ),
    (
        "I'm learning Portuguese with a grammar from 1962.",
        "Pixel has to see the vet on Friday at ten.",
        "I have a dog named Pixel.",
        "The lemon tree has aphids again; soap water helped last year.",
    ),
    (
        "The register allocator spills too much in hot loops.",
        "I use Rust at work, and Python for the scripts.",
        "Nora sent a postcard from Berlin.",
        "The launch of the new compiler is planned for the second of July.",
    ),
    (
        "I love sourdough bread.",
        "The starter is called Bernardo; it wants rye flour on Sundays.",
        "I don't like coriander.",
        "My favourite editor is Helix.",
    ),
    (
        "The launch slipped: the certificates ran out during the demonstration and nobody could log in.",
        "Remember: renew the certificates before the end of September.",
        "The team takes the night train to Madrid in August.",
        "I'm training for a half marathon.",
    ),
    (
        "Ran twelve kilometres along the Tejo before breakfast.",
        "My knee hurts when I run downhill.",
        "The doctor said two weeks without hills.",
        "Pixel ate half a loaf of bread and looked proud.",
    ),
    (
        "Nora will visit on the 14th of December.",
        "She wants to see Sintra and the tile museum.",
        "I should bake something without walnuts.",
        "The guest room needs a second lamp.",
    ),
    (
        "The build breaks whenever the cache is older than a week.",
        "Clearing the cache on Mondays keeps the build green.",
        "I play the cello.",
        "The cello teacher comes from Porto on Thursdays.",
    ),
    (
        "My sister lives in Berlin.",
        "The certificates are renewed until next year.",
        "The launch went well; the new compiler is twice as fast on hot loops.",
        "We celebrated with pastéis de nata on the roof.",
    ),
    (
        "I'm allergic to penicillin.",
        "The knee is fine again.",
        "The half marathon is on the seventh of March.",
        "Portuguese subjunctives are still a riddle to me.",
    ),
    (
        "I prefer planes to trains.",
        "The night train was cancelled twice this autumn.",
        "The lemon tree has eleven lemons.",
        "Nora asked whether Pixel may sleep in the guest room.",
    ),
)
CRITICAL: Final = "allergic"


def fill(memory: Memory, *, user_id: str) -> None:
    """Say all that, and learn from it."""
    at = BEGUN
    for number, lines in enumerate(SESSIONS):
        session = f"session-{number + 1}"
        for place, words in enumerate(lines):
            message = {"role": "user", "name": "Ada", "content": words, "critical": CRITICAL in words}
            said = at + timedelta(minutes=2 * place)
            memory.add(message, user_id=user_id, session_id=session, timestamp=said)
        memory.sessions.end(session, user_id=user_id)
        memory.jobs.drain()
        at += timedelta(days=DAYS_BETWEEN[number])
