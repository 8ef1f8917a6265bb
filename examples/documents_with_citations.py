"""Add files, and cite what answers a question."""

from pathlib import Path
from tempfile import TemporaryDirectory

from recollect import Memory

with TemporaryDirectory() as folder, Memory(":memory:") as memory:
    Path(folder, "roses.md").write_text("# Roses\n\nPrune roses in March, above a bud.\n", encoding="utf-8")
    Path(folder, "soil.txt").write_text("Loam holds water well.", encoding="utf-8")

    for result in memory.documents.add(folder, user_id="ada"):
        print(result.status, Path(result.source).name)
    for citation in memory.documents.search("When are roses pruned?", user_id="ada", limit=1):
        print(citation)
