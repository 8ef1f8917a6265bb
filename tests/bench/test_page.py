"""The page and its plot, made from the results of small runs."""

import dataclasses
import itertools
import json
import os
import re
import shlex
import xml.etree.ElementTree as ET
from importlib.metadata import version
from pathlib import Path

import pytest
from typer.testing import CliRunner

from recollect.cli import app
from recollect.errors import InvalidInputError
from recollect_bench.judged.tables import read_judged
from recollect_bench.page import read_results, render, write_page
from recollect_bench.plot import plot
from recollect_bench.table import kind_rows

ROOT = Path(__file__).parents[2]
SEARCH = "return sorted(scored, key=lambda one: -one[1])[:limit]"


@pytest.fixture
def results(bench, talks, system):
    worse = system("recollect", SEARCH, "return []")
    broken = system("broken", SEARCH, "raise ValueError('no index')")
    bench.run([worse, system("words"), broken], [talks])
    return read_results(bench.out)


def test_a_loss_stands_on_the_page_as_plainly_as_a_win(results):
    page = render(results, picture="x.svg")
    assert "- Little talks, R@10: words 100.0 [100.0, 100.0], recollect 0.0 [0.0, 0.0]" in page
    assert "| **recollect** | 0.0 [0.0, 0.0] |" in page


def test_a_system_without_figures_says_why(results):
    page = render(results, picture="x.svg")
    assert "- broken has no figures: search failed: ValueError: no index" in page
    assert "| broken | failed |" in page


def test_the_page_says_how_to_run_it_again_and_what_was_looked_at(results, tmp_path):
    page = render(results, picture="x.svg")
    systems = ",".join(str(tmp_path / f"{name}.py") for name in ("recollect", "words", "broken"))
    data = f"{tmp_path / 'talks.py'}={tmp_path / 'talks.json'}"
    run = f"$ recollect bench run --systems {systems} --data {data} --out {tmp_path / 'out'} --timeout-s 60\n"
    assert run in page
    assert f"$ recollect bench report {tmp_path / 'out'}\n" in page
    left_out = "Not measured: 3 turns without words, which no system is given."
    assert f"3 conversations, 9 turns, 6 questions. {left_out} Never." in page


def test_the_plot_has_a_point_for_each_system_with_figures(results):
    drawn = ET.fromstring(plot(results))  # noqa: S314 - our own plot
    names = [text.text for text in drawn.iter("{http://www.w3.org/2000/svg}text")]
    assert {"recollect 0.0", "words 100.0"} <= set(names)
    assert len(list(drawn.iter("{http://www.w3.org/2000/svg}circle"))) == 2


def test_names_that_would_touch_are_moved_apart(bench, talks, system):
    bench.run([system(f"words{number}") for number in range(5)], [talks])
    drawn = ET.fromstring(plot(read_results(bench.out)))  # noqa: S314 - our own plot
    texts = drawn.iter("{http://www.w3.org/2000/svg}text")
    heights = sorted(float(one.get("y")) for one in texts if one.text.startswith("words"))
    assert all(below - above >= 12 for above, below in itertools.pairwise(heights))


def test_the_page_and_its_plot_are_written_side_by_side(results, tmp_path):
    write_page(results, tmp_path / "new" / "compared.md", folder=tmp_path)
    assert "(compared.svg)" in (tmp_path / "new" / "compared.md").read_text()
    assert (tmp_path / "new" / "compared.svg").read_text().startswith("<svg")


def test_a_folder_without_results_is_refused(tmp_path):
    with pytest.raises(InvalidInputError, match="holds no results"):
        read_results(tmp_path)


def test_a_difference_that_chance_explains_is_called_none(bench, talks, system):
    same = [system("recollect"), system("words")]
    (result,) = dataclasses.replace(bench, fresh=True).run(same, [talks])
    assert "| words | 100.0 [100.0, 100.0] |" in render([result], picture="x.svg")
    assert "Little talks: no difference from words can be shown" in render([result], picture="x.svg")


def test_a_page_without_judges_says_that_there_are_none(results):
    page = render(results, picture="x.svg", guided=True)
    assert "## Answers judged by models\n\nNone: no result of judges lies beside these." in page
    assert "decide: [answers and judges](add-a-system.md#answers-and-judges)." in page


def test_a_page_says_nothing_that_holds_of_the_committed_results_alone(results, tmp_path):
    write_page(results, tmp_path / "page.md", folder=tmp_path / "mine")
    page = (tmp_path / "page.md").read_text()
    assert f"wrote this page\nfrom `{tmp_path / 'mine'}`" in page
    assert '"How it is measured" in `docs/inside/add-a-system.md` of Recollect' in page
    for ours in ("benchmarks/results", "(add-a-system.md", "mem0", "was at hand", "some of these data sets"):
        assert ours not in page


def test_a_page_beside_the_guide_links_to_it(results, tmp_path):
    (tmp_path / "add-a-system.md").write_text("# Compare memories\n")
    write_page(results, tmp_path / "page.md", folder=tmp_path)
    assert "[how it is measured](add-a-system.md#how-it-is-measured)" in (tmp_path / "page.md").read_text()


def test_the_committed_page_is_made_from_the_committed_results(monkeypatch, tmp_path):
    """By the command that stands in its head; RECOLLECT_UPDATE=1 writes it."""
    page = ROOT / "docs" / "inside" / "compared.md"
    monkeypatch.chdir(ROOT)
    folder = Path("benchmarks") / "results" / "compared"
    made = page if os.environ.get("RECOLLECT_UPDATE") else tmp_path / "compared.md"
    (tmp_path / "add-a-system.md").touch()
    write_page(read_results(folder), made, folder=folder, judged=read_judged(folder))
    assert page.read_text() == made.read_text()
    assert page.with_suffix(".svg").read_text() == made.with_suffix(".svg").read_text()


def test_systems_that_found_the_same_share_a_row(bench, talks, system):
    names = ("recollect", "words", "again")
    (result,) = dataclasses.replace(bench, fresh=True).run([system(name) for name in names], [talks])
    for row in result["systems"].values():
        row["time"]["search_cpu_ms"] = 3
    page = render([result], picture="x.svg")
    assert "| words, again | 100.0 [100.0, 100.0] |" in page
    assert "| 3, 3 | none |" in page


def test_what_must_not_come_back_is_a_column_where_it_did_and_else_a_sentence(bench, talks, system):
    (result,) = dataclasses.replace(bench, fresh=True).run([system("recollect")], [talks])
    clean = render([result], picture="x.svg")
    assert "No system found a deleted or replaced turn or a turn of another user." in clean
    assert "turns of other users found" not in clean

    result["systems"]["recollect"]["foreign"] = 2
    leaking = render([result], picture="x.svg")
    assert "| turns of other users found |" in leaking
    assert "No system found a deleted or replaced turn." in leaking


def test_what_answers_cost_is_shown_at_the_stated_price(bench, talks, system):
    (result,) = dataclasses.replace(bench, fresh=True).run([system("recollect"), system("words")], [talks])
    for row in result["systems"].values():
        row["golds"]["own"]["measures"]["tokens_given"] = {"mean": 750, "questions": 6}
    page = render([result], picture="x.svg", price=2.5)
    assert "| tokens given for an answer |" in page
    assert "| 1,000 questions at $2.5 per million tokens |" in page
    assert "| $1.88 |" in page


def test_the_tokens_of_the_first_ten_turns_are_given_for_an_answer(bench, talks, system):
    (result,) = dataclasses.replace(bench, fresh=True).run([system("words")], [talks])
    said = {"My parrot is called Kiki.", "It rains a lot."}
    given = result["systems"]["words"]["golds"]["own"]["measures"]["tokens_given"]
    assert given["questions"] == 6
    assert 0 < given["mean"] < 10 * max(map(len, said))


def test_contexts_that_are_judged_are_shown_by_kind_of_question():
    categories = {"now": {"questions": 2, "mean": 0.5}, "then": {"questions": 1, "mean": 1.0}}
    row = {"golds": {"own": {"categories": categories}}}
    assert kind_rows({"systems": {"one": row, "two": row, "broken": {"failed": "it hung"}}}) == [
        ["", "questions", "one, two"],
        ["now", "2", "50"],
        ["then", "1", "100"],
    ]


def test_runs_on_the_same_files_are_one_table_and_each_names_its_commit(bench, talks, system):
    bench.run([system("recollect"), system("words")], [talks])
    later = dataclasses.replace(bench, out=bench.out / "later")
    (other,) = later.run([system("again")], [talks])
    more = {**other, "library_commit": "abc1234"}
    (bench.out / "talks-more.json").write_text(json.dumps(more))
    (result,) = read_results(bench.out)
    assert set(result["systems"]) == {"recollect", "words", "again"}
    page = render([result], picture="x.svg")
    assert "| words | 100.0 [100.0, 100.0] |" in page
    assert "- Little talks (again): " in page
    assert "Recollect at `abc1234`" in page
    assert f"$ {more['command']}\n" in page


def test_a_variant_of_recollect_alone_is_compared_and_none_is_said_so(bench, talks, system):
    bench.run([system("recollect-small", SEARCH, "return []"), system("words")], [talks])
    page = render(read_results(bench.out), picture="x.svg")
    assert "- Little talks, R@10: words 100.0 [100.0, 100.0], recollect-small 0.0 [0.0, 0.0]" in page


def test_a_page_without_recollect_claims_nothing_for_it(bench, talks, system):
    bench.run([system("words")], [talks])
    page = render(read_results(bench.out), picture="x.svg")
    assert "Recollect is in none of these runs." in page
    assert "Nowhere in these tables." not in page


def test_kinds_of_questions_and_ties_are_among_the_losses():
    page = render(read_results(ROOT / "benchmarks" / "results" / "compared"), picture="x.svg")
    losses = page.partition("## Where Recollect is not ahead")[2].partition("## ")[0]
    assert "- Life, always carry: " in losses
    assert "- Life, has what it should not bring up: " in losses


BROKEN = {
    "empty": (lambda whole: "", r"talks\.json is empty"),
    "cut short": (lambda whole: whole[:900], r"talks\.json is no JSON, or not the whole of it: .*line \d+"),
    "binary": (lambda whole: whole.replace("talks", "\udcff"), r"talks\.json 'utf-8' codec can't decode"),
    "of another format": (
        lambda whole: whole.replace('"format": 1', '"format": 2'),
        r"talks\.json has the format 2, of another version; this one reads 1",
    ),
    "without its systems": (
        lambda whole: whole.replace('"systems"', '"sistems"'),
        r"talks\.json is no whole result: KeyError: 'systems'",
    ),
    "of a measure that is not known": (
        lambda whole: whole.replace('"chief": "recall_at_10"', '"chief": "luck"'),
        r"talks\.json is no whole result: KeyError: 'luck'",
    ),
    "with words for figures": (
        lambda whole: whole.replace('"mean": 1.0', '"mean": "one"'),
        r"talks\.json is no whole result: (Type|Value)Error",
    ),
}


@pytest.mark.parametrize("fault", BROKEN)
def test_a_result_that_cannot_be_shown_is_named_and_no_page_is_written(fault, results, bench, tmp_path):
    broken, complaint = BROKEN[fault]
    path = bench.out / "talks.json"
    made = broken(path.read_text(encoding="utf-8"))
    path.write_bytes(made.encode("utf-8", "surrogateescape"))
    (bench.out / "other.json").write_text('{"a":', encoding="utf-8")
    page = tmp_path / "page.md"
    done = CliRunner().invoke(app, ["bench", "report", str(bench.out), "--out", str(page)])
    assert (done.exit_code, done.stderr.count("\n"), page.exists()) == (1, 1, False)
    assert re.search(complaint, done.stderr), done.stderr
    assert "other.json is no JSON" in done.stderr


def test_a_judged_result_that_cannot_be_shown_is_named(results, bench):
    (bench.out / "talks-judged.json").write_text('{"benchmark": "judged", "title": "x"}', encoding="utf-8")
    with pytest.raises(InvalidInputError, match=r"talks-judged\.json is no whole result: KeyError"):
        read_judged(bench.out)


def test_json_that_is_no_result_is_left_alone(results, bench):
    (bench.out / "life.json").write_text('[{"person": {}}]', encoding="utf-8")
    assert [one["dataset"] for one in read_results(bench.out)] == ["talks"]


def test_a_folder_that_is_not_there_is_said_so(tmp_path):
    with pytest.raises(InvalidInputError, match=r"there is no folder .*nowhere"):
        read_results(tmp_path / "nowhere")


def test_a_page_of_systems_that_all_failed_says_why(bench, talks, system):
    bench.run([system("broken", SEARCH, "raise ValueError('no index')")], [talks])
    page = render(read_results(bench.out), picture="x.svg")
    assert "No system has figures: each section says why." in page
    assert "- broken has no figures: search failed: ValueError: no index" in page


def test_the_printed_commands_make_the_same_results_again(talks, system, tmp_path, monkeypatch):
    """In a folder with a space in its name, where a path that is not quoted would be two words."""
    place = tmp_path / "a place"
    place.mkdir()
    monkeypatch.chdir(place)
    for path in (talks.paths[0], tmp_path / "talks.py", system("words").path):
        path.rename(place / path.name)
    typed = ["bench", "run", "--systems", "./words.py", "--data", f"{place}/talks.py=talks.json"]
    assert CliRunner().invoke(app, typed).exit_code == 0
    first = read_results(Path("bench-results"))
    page = render(first, picture="x.svg")
    run, report = (shlex.split(line[2:])[1:] for line in page.splitlines() if line.startswith("$ "))
    assert run == typed
    assert CliRunner().invoke(app, [*run, "--fresh"]).exit_code == 0
    again = read_results(Path("bench-results"))
    assert [one["systems"]["words"]["golds"] for one in again] == [
        one["systems"]["words"]["golds"] for one in first
    ]
    assert CliRunner().invoke(app, report).exit_code == 0
    assert Path("compared.md").exists()


def test_results_of_an_installed_package_name_its_version_and_say_so(bench, talks, system, monkeypatch):
    monkeypatch.setattr("recollect_bench.provenance.shutil.which", lambda name: None)
    bench.run([system("words")], [talks])
    head = json.loads((bench.out / "runs" / "talks" / "words.jsonl").read_text().splitlines()[0])
    assert head["commit"] == f"version {version('recollect')}"
    page = render(read_results(bench.out), picture="x.svg")
    assert f", Recollect {version('recollect')} as a package, which knows no commit, Python" in page
    assert "``" not in page.replace("```", "")


SAME = {
    "--systems": {"run", "judge"},
    "--data": {"run", "judge"},
    "--timeout-s": {"run", "judge"},
    "--out": {"run", "report", "life"},
    "--price-in": {"judge", "report"},
    "--json": {"run", "judge", "report", "life"},
}
"""What is the same in several commands, and where."""


def test_what_is_the_same_in_several_commands_has_the_same_name():
    taken = {
        name: set(
            re.findall(r"(?<![\w`-])--[a-z-]+", CliRunner().invoke(app, ["bench", name, "--help"]).stdout)
        )
        for name in ("run", "judge", "report", "life")
    }
    for option, commands in SAME.items():
        assert {name for name, options in taken.items() if option in options} >= commands, option
    assert not any({"--page", "--price", "--folder", "--file"} & options for options in taken.values())


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        (["run", "--system", "x"], "--system; use --systems"),
        (["report", "--price", "1"], "--price; use --price-in"),
        (["report", "--output", "x"], "--output; use --out"),
        (["judge", "--timeout", "1"], "--timeout; use --timeout-s"),
        (["life", "--message", "200"], "--message; use --messages"),
        (["report", "--price-in", "inf"], "'--price-in': Input should be less than or equal to 1000000"),
        (["life", "--seed", "-1"], "'--seed': Input should be greater than or equal to 0"),
        (["report", "--price-in", "nonsense"], "'--price-in': Input should be a valid number"),
    ],
)
def test_a_wrong_option_is_answered_with_the_right_one(typed, told):
    done = CliRunner().invoke(app, ["bench", *typed])
    assert done.exit_code == 2
    assert told in done.stderr


def test_a_page_that_cannot_be_written_leaves_nothing_behind(results, bench, tmp_path):
    (tmp_path / "adir").mkdir()
    for page in (tmp_path / "adir", tmp_path / "page.svg"):
        done = CliRunner().invoke(app, ["bench", "report", str(bench.out), "--out", str(page)])
        assert (done.exit_code, done.stderr.count("\n"), page.with_suffix(".svg").exists()) == (1, 1, False)
