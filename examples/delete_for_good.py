"""Delete a message with everything learned from it, and look whether a byte is left."""

from pathlib import Path
from tempfile import TemporaryDirectory

from recollect import Memory

with TemporaryDirectory() as folder:
    file = Path(folder) / "brain.db"
    with Memory(file) as memory:
        (secret,) = memory.add("My landlord is called Mette.", user_id="ada")
        memory.add("I like green tea.", user_id="ada")
        memory.jobs.drain()

        memory.delete(secret.id, user_id="ada", reason="private")
        print("found after delete:", len(memory.search("Mette", user_id="ada", threshold=0.2)))
        print("purged:", memory.purge(user_id="ada"))
        print("left:", [one.content for one in memory.get_all(user_id="ada", kinds=["message"])])
    print("in the file:", b"Mette" in file.read_bytes())
