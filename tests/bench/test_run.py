"""Whole runs with systems that work and systems that do not: each gets a row, and the rest goes on."""

import dataclasses
import errno
import json
from contextlib import closing
from pathlib import Path

import pytest

from recollect_bench.catalogue import find_data, find_system
from recollect_bench.journal import Journal
from recollect_bench.table import summary

SEARCH = "return sorted(scored, key=lambda one: -one[1])[:limit]"


def rows(results):
    return results[0]["systems"]


def chief(row, measure="recall_at_10"):
    return row["golds"]["own"]["measures"][measure]["mean"]


def test_a_system_is_scored_on_every_question(bench, talks, system):
    (result,) = bench.run([system("words")], [talks])
    row = result["systems"]["words"]
    assert result["counts"] == {"conversations": 3, "turns": 9, "questions": 6}
    assert result["left_out"] == {"turns without words, which no system is given": 3}
    assert summary(result).count("Not measured: 3 turns without words") == 1
    assert (chief(row), chief(row, "mrr"), row["foreign"]) == (1, 1, 0)
    assert row["golds"]["own"]["measures"]["answer_in_500"]["questions"] == 3
    assert json.loads((bench.out / "talks.json").read_text())["systems"]["words"]["about"] == row["about"]


FAULTS = {
    "is no Python": ("class System:", "class System", "broken.py cannot be read: "),
    "has no class": ("class System:", "class Sistem:", "broken.py has no class System"),
    "does not import": ("class System:", "import no_such_package\nclass System:", "no_such_package"),
    "raises": (SEARCH, "raise ValueError('no index')", "search failed: ValueError: no index"),
    "ends its process": (SEARCH, "import os; os._exit(3)", "search crashed: the process ended with 3"),
    "makes ids up": (SEARCH, "return [('nobody', 1.0)]", "an id that it was never given: 'nobody'"),
    "scores with no number": (SEARCH, "return [(scored[0][0], float('nan'))]", "returned the score nan for"),
    "scores without end": (SEARCH, "return [(scored[0][0], float('inf'))]", "returned the score inf for"),
    "returns nonsense": (SEARCH, "return 7", "it returned 7, not pairs of an id and a score"),
    "returns no scores": (SEARCH, "return ['a']", "it returned ['a'], not pairs of an id and a score"),
    "scores with words": (SEARCH, "return [('a', 'b')]", "it returned [('a', 'b')], not pairs of an id"),
    "asks for input": (SEARCH, "return input()", "search failed: EOFError"),
    "has no close": ("    def close", "    def shut", "close failed"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_system_that_fails_has_a_row_that_says_so_and_the_rest_goes_on(fault, bench, talks, system):
    old, new, complaint = FAULTS[fault]
    found = rows(bench.run([system("broken", old, new), system("words")], [talks]))
    assert complaint in found["broken"]["failed"]
    assert "golds" not in found["broken"]
    assert chief(found["words"]) == 1


def test_a_system_that_hangs_is_ended(bench, talks, system):
    quick = dataclasses.replace(bench, timeout_s=2)
    found = rows(quick.run([system("hangs", SEARCH, "import time; time.sleep(600)")], [talks]))
    assert found["hangs"]["failed"] == "search hung: no answer within 2 s"


def test_what_a_system_prints_does_not_stand_among_its_answers(bench, talks, system):
    found = rows(bench.run([system("chatty", SEARCH, f"print('found!'); {SEARCH}")], [talks]))
    assert chief(found["chatty"]) == 1
    assert "found!" in (bench.out / "logs" / "talks-chatty.log").read_text()


def test_turns_of_another_user_are_counted(bench, talks, system):
    everyone = system(
        "everyone", "self.turns.get(user, [])", "[t for all in self.turns.values() for t in all]"
    )
    assert rows(bench.run([everyone], [talks]))["everyone"]["foreign"] > 0


def test_a_system_sees_no_key_of_the_users(bench, talks, system, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")
    nosy = system("nosy", SEARCH, "import os; assert 'OPENAI_API_KEY' not in os.environ; return []")
    assert chief(rows(bench.run([nosy], [talks]))["nosy"]) == 0


def test_a_data_file_that_cannot_be_read_ends_its_own_part_alone(bench, talks, system):
    broken = dataclasses.replace(talks, name="broken", load=lambda: (_ for _ in ()).throw(OSError("gone")))
    first, second = bench.run([system("words")], [broken, talks])
    assert (first["failed"], chief(second["systems"]["words"])) == ("gone", 1)


def test_a_run_goes_on_where_it_stopped_and_drops_half_a_line(bench, talks, system):
    words = system("words")
    (whole,) = bench.run([words], [talks])
    journal = bench.out / "runs" / "talks" / "words.jsonl"
    head, first, second, _ = journal.read_text().splitlines()
    journal.write_text(f"{head}\n{first}\n{second[:40]}")
    said = []
    (again,) = dataclasses.replace(bench, report=said.append).run([words], [talks])
    assert said == ["talks, words: 2 of 3", "talks, words: 3 of 3"]
    assert again["systems"]["words"]["golds"] == whole["systems"]["words"]["golds"]


@pytest.mark.parametrize("row", ["[]", "7", "{}", '{"conversation": "parrot"}'])
def test_a_line_of_a_journal_that_is_no_row_is_made_again(row, bench, talks, system):
    words = system("words")
    (whole,) = bench.run([words], [talks])
    journal = bench.out / "runs" / "talks" / "words.jsonl"
    head, *_ = journal.read_text().splitlines()
    journal.write_text(f"{head}\n{row}\n")
    (again,) = bench.run([words], [talks])
    assert again["systems"]["words"]["golds"] == whole["systems"]["words"]["golds"]


def test_another_version_of_a_system_begins_anew(bench, talks, system):
    bench.run([system("words")], [talks])
    said = []
    dataclasses.replace(bench, report=said.append).run([system("words", SEARCH, "return []")], [talks])
    assert len(said) == 3


def test_a_full_disk_ends_the_row_and_the_run_goes_on_later(bench, talks, system, monkeypatch):
    kept = Journal.keep

    def full(journal, row):
        if row["conversation"] == "tortoise":
            raise OSError(errno.ENOSPC, "No space left on device")
        kept(journal, row)

    with monkeypatch.context() as patched:
        patched.setattr(Journal, "keep", full)
        assert "No space left" in rows(bench.run([system("words")], [talks]))["words"]["failed"]
    said = []
    found = rows(dataclasses.replace(bench, report=said.append).run([system("words")], [talks]))
    assert (len(said), chief(found["words"])) == (2, 1)


def test_recollect_itself_is_a_system_like_the_others(bench, talks):
    found = rows(bench.run([find_system(name) for name in ("recollect", "vectors", "sqlite-fts5")], [talks]))
    assert [chief(row) for row in found.values()] == [1, 1, 1]
    assert found["recollect"]["packages"]["recollect"]
    assert all(row["time"]["search_cpu_ms"] > 0 for row in found.values())


FORGETS = """
    def delete(self, user, name):
        self.turns[user] = [turn for turn in self.turns[user] if turn.id != name]

    def close"""


def test_what_was_deleted_or_corrected_and_comes_back_is_counted(bench, system):
    honest = system("honest", "\n    def close", FORGETS)
    forgets_nothing = system(
        "forgetful", "\n    def close", "\n    def delete(self, *_): pass\n\n    def close"
    )
    found = rows(bench.run([honest, forgets_nothing, system("cannot")], [find_data("everyday")]))
    assert (found["honest"]["gone"], found["forgetful"]["gone"] > 0) == (0, True)
    assert found["cannot"]["failed"] == "cannot delete, which this data set asks for"
    assert found["honest"]["golds"]["own"]["measures"]["context_right"]["questions"] == 80


def test_what_is_gone_and_what_should_not_be_brought_up_are_counted_apart(bench, system):
    """Who forgets nothing has both; who forgets what was deleted still finds what is not to be said."""
    honest = system("honest", "\n    def close", FORGETS)
    keeps = system("keeps", "\n    def close", "\n    def delete(self, *_): pass\n\n    def close")
    found = rows(bench.run([honest, keeps], [find_data("everyday")]))
    assert chief(found["honest"], "context_has_gone") == 0
    assert chief(found["keeps"], "context_has_gone") > 0.5
    assert chief(found["honest"], "context_has_unwanted") > 0


@pytest.mark.parametrize("composed", ["nothing", ""])
def test_a_context_that_a_system_composes_is_judged_instead_of_what_it_finds(composed, bench, system):
    says = f"def context(self, *_): return {composed!r}"
    says = f"\n    def delete(self, *_): pass\n\n    {says}\n\n    def close"
    found = rows(bench.run([system("composer", "\n    def close", says)], [find_data("everyday")]))
    assert chief(found["composer"], "context_has_all") == 0
    assert chief(found["composer"], "context_has_gone") == 0
    assert chief(found["composer"], "context_has_unwanted") == 0


def test_a_context_that_is_no_text_ends_the_row(bench, system):
    says = "\n    def delete(self, *_): pass\n\n    def context(self, *_): return [('a', 1)]\n\n    def close"
    found = rows(bench.run([system("composer", "\n    def close", says)], [find_data("everyday")]))
    assert found["composer"]["failed"] == "context returned list, not a text"


def test_a_turn_that_is_returned_many_times_counts_once_at_its_first_place(bench, talks, system):
    """Were repeats counted, ten of a wrong turn would push the right one below rank ten."""
    repeats = "top = sorted(scored, key=lambda one: one[1]); return [*[(top[0][0], 9.0)] * 12, *top]"
    found = rows(bench.run([system("repeats", SEARCH, repeats)], [talks]))
    assert chief(found["repeats"]) == 1
    assert chief(found["repeats"], "mrr") == 0.5


def test_a_system_may_ask_for_the_shared_vectors_over_http(bench, talks, system):
    asks = """import json, urllib.request
        body = json.dumps({"input": [query], "model": "any"}).encode()
        answer = json.load(urllib.request.urlopen(self.url + "/v1/embeddings", body))
        (same,) = self.vectors.documents([query])
        assert answer["data"][0]["embedding"] == same
        return []"""
    served = "self.turns = {}; self.vectors = vectors; self.url = vectors.serve()"
    path = system("served", SEARCH, asks).path
    path.write_text(path.read_text().replace("self.turns = {}", served))
    assert chief(rows(bench.run([find_system(str(path))], [talks]))["served"]) == 0


def test_results_may_go_to_a_folder_below_the_one_at_hand(bench, talks, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    below = dataclasses.replace(bench, out=Path("results"))
    assert chief(rows(below.run([find_system("recollect")], [talks]))["recollect"]) == 1
    assert (tmp_path / "results" / "talks.json").exists()


def test_two_runs_do_not_write_to_one_journal(bench, talks, system):
    words = system("words")
    other = bench.out / "runs" / "talks" / "words.jsonl"
    with closing(Journal(other, made_of={}, fresh=True, fields=["conversation"])):
        assert "another run writes to" in rows(bench.run([words], [talks]))["words"]["failed"]
    assert chief(rows(bench.run([words], [talks]))["words"]) == 1


def test_a_system_of_which_the_journal_has_all_is_not_started_again(bench, talks, system, monkeypatch):
    first = rows(bench.run([system("words")], [talks]))

    def never(*given, **named):
        raise AssertionError("it was started")

    monkeypatch.setattr("recollect_bench.run.SystemProcess", never)
    assert rows(bench.run([system("words")], [talks])) == first


def test_a_system_that_composes_no_context_is_asked_for_enough_turns_to_fill_one(bench, system):
    asked = "open(__file__ + '.asked', 'a').write(f'{limit} ')\n        return []"
    plain = system("plain", SEARCH, asked)
    forgets = "\n    def delete(self, *_): pass\n\n    def close"
    plain.path.write_text(plain.path.read_text().replace("\n    def close", forgets))
    composer = plain.path.with_name("composer.py")
    says = "\n    def context(self, *_): return 'nothing'\n\n    def close"
    composer.write_text(plain.path.read_text().replace("\n    def close", says))
    bench.run([find_system(str(plain.path)), find_system(str(composer))], [find_data("everyday")])
    told = {path: set(Path(f"{path}.asked").read_text().split()) for path in (plain.path, composer)}
    assert told == {plain.path: {"200"}, composer: {"50"}}
