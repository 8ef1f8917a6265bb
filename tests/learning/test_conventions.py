"""Conventions of a project: which sentences are learned as rules that stand there, and which are not."""

import pytest

from recollect import Memory, Within

HERE, THERE = "github.com/acme/app", "github.com/acme/shop"


def told(*lines: str) -> dict[str, bool]:
    """The instructions that lines teach in a project, and whether each still holds; elsewhere none."""
    with Memory(":memory:", embedder="hashing") as memory:
        for number, line in enumerate(lines):
            memory.add(line, user_id="ada", session_id=f"s{number}", metadata={"project": HERE})
            memory.jobs.drain()
        found = memory.get_all(
            user_id="ada", filters={"category": "instruction"}, kinds=["fact"], within=Within(project=HERE)
        )
        assert not memory.get_all(user_id="ada", kinds=["fact"], within=Within(project=THERE))
        return {one.content: one.times.valid_until is None for one in found}


@pytest.mark.parametrize(
    "line",
    [
        "use pnpm here, not npm",
        "We use tabs in this repo.",
        "we use pytest here, not unittest",
        "here we deploy with make ship, not with CI",
        "in this project tests go under spec/",
        "In this repo we squash before merging.",
        "commit messages in this repo are in English",
        "Migrations live in db/migrations in this project.",
        "no semicolons in this codebase please",
        "in this repo use yarn instead of npm",
        "we don't use default exports here",
        "We never edit generated files in this project.",
        "run the tests with make check here, not with pytest directly",
        "in this project, tests are run with tox",
        "here, branches are named after the ticket",
        "We name branches feature/TICKET in this repository.",
        "this repo uses uv, not pip",
        "This project uses 4 spaces, not tabs.",
        "in this repo we write docstrings in Google style",
        "For this project, log with structlog rather than print.",
        "Here we don't push to main, we open a merge request.",
        "in this codebase we prefer composition over inheritance",
        "use ruff here, not black",
        "Use vitest here instead of jest.",
        "in this project don't add new dependencies without asking",
        "In this repo, never touch the vendored folder.",
        "we deploy from the release branch here",
        "All SQL goes into queries/ in this project.",
        "in this service all timestamps are UTC",
        "in this app every endpoint has an OpenAPI description",
        "please use podman in this repo, not docker",
        "Please keep lines under 100 characters in this project.",
        "we build with bazel here, not with cmake",
        "We pin every dependency in this repo.",
        "for this repo: changelog entries go into changes/, one file per change",
        "In this project: one class per file.",
        "here errors are logged, never swallowed",
        "Here secrets come from vault, not from .env files.",
        "use bun in this project, npm is only for publishing",
        "In this package use relative imports.",
    ],
)
def test_what_is_always_so_in_a_project_is_an_instruction_there(line: str) -> None:
    assert told(line)


@pytest.mark.parametrize(
    "line",
    [
        "can you use pnpm here?",
        "could you use tabs in this file?",
        "use a dict here, not a list",
        "use const here instead of let",
        "do we use tabs in this repo?",
        "what do we deploy with here?",
        "we used npm in this repo, until last year",
        "We are using too many any types in this repo.",
        "why do tests go under spec/ in this project?",
        "in this repo there are two failing tests",
        "here we go again, the build is red",
        "here is the stack trace",
        "I think we should use pnpm here",
        "maybe we use yarn in this project, I am not sure",
        "run the tests here",
        "use the second option here",
        "in this project I got stuck with the parser",
        "In this repo I found a bug in the tokenizer.",
        "fix the typo here, not in the copy",
        "add a test here, not there",
        "if we use pnpm here, does CI still work?",
        "Should we use ruff here, not black?",
        "we had to use docker here yesterday",
        "we will use bazel in this repo next quarter, perhaps",
        "rename the variable here please",
        "put a breakpoint here",
        "in this test we use a mock clock, why?",
        "in this function return early, do not nest",
        'the README says "use npm in this repo", is that right?',
        "the docs say we use tox in this project, but there is no tox.ini",
        "use npm here just this once",
        "use sudo here for now",
        "in this commit use the old message",
        "for this change, skip the tests",
        "nobody uses make in this repo",
        "they use perforce in their project",
        "here the loop ends too early",
        "in this project the tests fail on Windows",
        "I don't know which package manager this repo uses",
        "we could use tabs in this repo, or spaces",
    ],
)
def test_a_question_a_task_and_a_report_are_no_convention(line: str) -> None:
    assert not told(line)


@pytest.mark.parametrize(
    ("line", "fact"),
    [
        ("use pnpm here, not npm", "User asks always to use pnpm, not npm in this project."),
        (
            "In this repo use pnpm instead of npm.",
            "User asks always to use pnpm instead of npm in this project.",
        ),
        ("we use tabs in this repo", "User asks always to use tabs in this project."),
        ("All SQL goes into queries/ here.", "User asks in this project: all SQL goes into queries/."),
        ("here we don't push to main", "User asks in this project: we don't push to main."),
        (f"we use{' ' * 19_000}tabs here", "User asks always to use tabs in this project."),
    ],
)
def test_a_convention_is_told_without_the_words_for_its_place(line: str, fact: str) -> None:
    assert told(line) == {fact: True}


def test_another_choice_ends_the_one_that_it_names() -> None:
    found = told("use pnpm here, not npm", "use yarn here, not pnpm", "use ruff here, not black")
    assert [fact for fact, holds in found.items() if not holds] == [
        "User asks always to use pnpm, not npm in this project."
    ]
    assert found["User asks always to use yarn, not pnpm in this project."]


def test_a_choice_ends_with_we_no_longer() -> None:
    assert told("We use tabs in this repo.", "We no longer use tabs in this repo.") == {
        "User asks always to use tabs in this project.": False
    }
