"""Export one user as JSON Lines, load it elsewhere, and copy a whole store into a JSON file."""

from pathlib import Path
from tempfile import TemporaryDirectory

from recollect import Memory
from recollect.memory.maintenance import copy_store

with TemporaryDirectory() as name:
    folder = Path(name)
    with Memory(folder / "brain.db") as memory:
        memory.add(["Ada likes green tea", "Ada lives in Lisbon"], user_id="ada")
        memory.add("Bob takes the train", user_id="bob")
        memory.export(folder / "ada.jsonl", user_id="ada")

    with Memory(":memory:") as other:
        print("loaded:", other.load(folder / "ada.jsonl").stored, "of", other.users())

    done = copy_store(folder / "brain.db", f"json:///{folder}/brain.json")
    print("copied:", done.memories, "memories of", done.users, "users")
    with Memory(f"json:///{folder}/brain.json") as moved:
        print(moved.search("What does Ada drink?", user_id="ada", top_k=1)[0].content)
