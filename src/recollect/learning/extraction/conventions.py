"""Conventions: how work is done in a project, said as a statement or as a choice.

===========================================  =================================================
said                                         because
===========================================  =================================================
"use pnpm here, not npm"                     a tool is chosen over another
"we use tabs in this repo", "here we deploy  "we" do so, as a habit, in this place
with make ship"
"in this project tests go under spec/"       all of a kind are so in this place
"this repo uses uv", "in this repo: one      the place itself has a rule
class per file"
===========================================  =================================================

No convention: a question and a request for one thing. "Can you use pnpm here?" may mean the command at
hand: a rule that nobody made would be told in every session, one that is missed is told again. "Use a dict
here, not a list" is of one line of code, so behind "here" the choice must be between tools.
"""

import re
from dataclasses import replace
from typing import Final

from recollect.learning.extraction.clauses import Sentence
from recollect.learning.extraction.facts import EXPLICIT, Fact
from recollect.learning.extraction.instruction_rules import HERE
from recollect.learning.extraction.people import LANGUAGES
from recollect.learning.extraction.subjects import SELF
from recollect.learning.extraction.wording import SaidWords, fact_of
from recollect.learning.listing import any_of, either
from recollect.types.regex import lazy_regex

_MOST_WORDS: Final = 30
"""Words of a convention. Chosen by hand, as for other instructions."""
_PLACE: Final = any_of(
    "repo(?:sitory)? | monorepo | project | code ?base | app | service | package | workspace"
)
_TOOLS: Final = any_of(
    r"""
    p?npm | npx | yarn | bun | bunx | deno | node | corepack | uv | uvx | pip | pipx | poetry | pipenv
    | conda | mamba | pdm | hatch | rye | cargo | maven | mvn | gradle | sbt | bazel | buck2? | cmake
    | meson | ninja | scons | make | just | task | rake | tox | nox | invoke | pytest | unittest | nose2?
    | jest | vitest | mocha | jasmine | ava | cypress | playwright | selenium | rspec | minitest | junit
    | testng | ruff | black | flake8 | pylint | isort | autopep8 | yapf | mypy | pyright | eslint | tslint
    | biome | prettier | standard | rubocop | gofmt | goimports | golangci-lint | clippy | rustfmt
    | clang-format | docker | podman | buildah | nerdctl | compose | vagrant | nix | brew | apt | terraform
    | opentofu | tofu | pulumi | ansible | helm | kubectl | kustomize | git | gh | glab | hg | jj | svn | ci
    | webpack | vite | rollup | esbuild | parcel | turbopack | turbo | nx | lerna | babel | tsc | swc | tsx
    | ts-node | composer | bundler | gem | mix | rebar3 | lein | stack | cabal | dune | opam | vcpkg | conan
    | spack | curl | wget | httpie | tabs | spaces | sqlite | postgres(?:ql)? | mysql | mariadb | redis
    | pdb | gdb | lldb | loguru | structlog | print | logging
    """
)
"""Between which people choose for a whole project. Chosen by hand."""
_NOT: Final = "(?: ,)?(?: (?:and )?(?:not|never)| (?:instead of|rather than|over))(?: with| to| in| from)?"
_CHOICE: Final = lazy_regex(
    rf"(?P<we>we )?(?:always |only )?(?P<verb>use|prefer) (?P<o>\S+)(?: (?:{HERE}|here))?"
    rf"(?:{_NOT} (?P<no>\S+))?(?: (?:{HERE}|here|please))*$"
)
"""A choice; imperatives for "this repo" are among ``ORDERS``."""
_ORDERED: Final = lazy_regex(
    rf"(?:run|test|build|deploy|lint|format|install|log|release|ship|debug|bundle|publish|check)\b.*?"
    rf"\b(?:with|by|to|via|through|using) .*?{_NOT} (?:{_TOOLS}\b|make\b).*$"
)
_KEPT: Final = lazy_regex(
    r"(?:keep|name|prefix|indent|wrap|spell|squash|sign) (?:all |every )?(?!(?:the|my|our|this|that|these"
    r"|those|it|them|a|an|going)\b)\w+s\b.*$"
)
_WE_DO: Final = any_of(
    """
    use | prefer | name | write | deploy | ship | squash | rebase | merge | review | release | tag | version
    | pin | build | test | run | lint | format | commit | push | follow | sign | document | indent | keep
    | avoid | open | target | support | branch | prefix | log | mock | edit | touch | add | import | store
    | generate | put | work with | stick to | go with | wrap | install | publish | bundle | develop
    """
)
"""What "we" do by habit in a place."""
_WE: Final = lazy_regex(
    rf"we (?:(?:do not|never|always|only|also|all|generally|usually) )*(?P<verb>{_WE_DO})\b"
    r"(?! (?:into|out|too|so|a lot)\b)(?P<o> .+)$"
)
_ONE_THING: Final = lazy_regex(r" (?:an?|this|that|these|those|it|them)\b")
_GOES: Final = any_of(
    rf"""
    (?:go|goes|live|lives|belong|belongs|sit|sits|stay|stays) (?:in|into|under|below|inside|beside|next to
    |on|with|through|to|at|behind) | comes? from | (?:start|end|begin)s? with
    | (?:follow|use|need|require|target)s? | (?:have|has) (?:an?|no|one|its|their) | (?:is|are|get
    |gets) (?:always |never |only )?(?:named|called|written|kept|logged|run|stored|formatted|tested
    |deployed|reviewed|merged|squashed|signed|prefixed|sorted|versioned|generated|indented|spelled|pinned
    |wrapped|rebased|tagged|documented|mocked|released|built|swallowed|in (?:{either(LANGUAGES)}
    |\w+(?:case|_case)|utc|lower ?case|upper ?case|present tense|the imperative|imperative)|utc|iso
    |lower ?case|upper ?case|private|read-only|kebab-case|snake_case|camelcase|pascalcase)
    """
)
_ALL: Final = lazy_regex(
    r"(?:(?:all|every|each) (?:[\w-]+ ){0,3}?[\w-]+|(?!(?:the|my|our|your|his|her|its|their|this|these|those"
    r"|there|two|three|four|some|many|most|several|few|various|other|things|is|as|was|has|does|yes|us|bugs"
    r"|errors\b(?! are)|failures|users|people)\b)(?:[\w-]+ ){0,2}?(?:[\w-]+s|sql|documentation|code)) "
    rf"{_GOES}\b.*$"
)
_ITSELF: Final = lazy_regex(
    rf"(?:this|the current) (?:\w+ )?{_PLACE} (?:only |always )?(?:uses|follows|targets|requires|runs on"
    r"|is built with|builds with|deploys with|sticks to) (?!(?:too|a lot|lots|about|around|more|less|much|up"
    r"|so|over)\b|\d+ ?(?:%|percent|times|[kmgt]i?b\b)).+$"
)
_VERBLESS: Final = lazy_regex(r"(?:no|only|one|two) .+|.+ (?:per|only) .+|.+ only$")
_LEAD: Final = lazy_regex(
    r"(?:(?:please|pls|so|ok|okay|and|also|btw|fyi|note(?: that)?|remember(?: that)?|by the way|hint|rule"
    r"|reminder|as a rule|in general)(?: [,:-])? )+"
)
_BEFORE: Final = lazy_regex(rf"(?P<place>{HERE}|here)(?: [,:-])? ")
_BEHIND: Final = lazy_regex(rf"(?:(?: ,)? (?:{HERE}|here|please|pls|though|thanks|ok))+$")
_WITHIN: Final = lazy_regex(rf" (?:{HERE}|here)(?= )")
_NONE: Final = lazy_regex(r"no \w+s$")
_PLACED: Final = lazy_regex(
    rf"(?:,?\s*\b(?:{HERE}|here|please)\b(?=\W*$)|\s*\b(?:{HERE}|here)\b:?)", re.IGNORECASE
)
_THIS: Final = lazy_regex(rf"\b(?:{HERE}|(?:this|the current) (?:\w+ )?{_PLACE})\b")
_TOOL: Final = lazy_regex(_TOOLS)
_UNSURE: Final = lazy_regex(
    r"\b(?:i|my|me|mine|you|he|she|they|their|nobody|somebody|someone|maybe|perhaps|probably|guess|think"
    r"|seems?|could|should|would|can|may|might|will|shall|used to|was|were|had|did|says?|said|told|tells?"
    r"|readme|docs|until|till|yesterday|today|tomorrow|ago|last|next|once|for now|this time|right now"
    r"|at the moment|currently|temporarily|already|just|no longer|any ?more|again|there (?:is|are)|if|unless"
    r"|why|what|whether|who|how|which|wish|pretend|imagine|suppose"
    r"|too (?:many|much))\b|[\"\u201c\u201d\u00ab]"
)
"""Says that a sentence is no rule of a place, or none that stands."""


def may_tell_conventions(text: str) -> bool:
    """Whether words for a place of work are in a text.

    >>> [may_tell_conventions(text) for text in ("use pnpm here", "This repo uses uv.", "I use pnpm.")]
    [True, True, False]
    """
    return _CUE.search(text) is not None


_CUE: Final = lazy_regex(rf"\b(?:here|(?:this|the current) (?:\w+ )?{_PLACE})\b", re.IGNORECASE)


def conventions_in(sentence: Sentence, text: str, speaker: str) -> list[Fact]:
    """The convention that a sentence tells, and what it leaves for it; mostly none.

    Args:
        sentence: The sentence.
        text: The text it stands in.
        speaker: How facts call who speaks.
    """
    tokens = sentence.tokens
    read = " ".join(token.low for token in tokens)
    if sentence.asked or len(tokens) > _MOST_WORDS or _CUE.search(read) is None or _UNSURE.search(read):
        return []
    lead = _LEAD.match(read)
    placed = _BEFORE.match(read, lead.end() if lead else 0)
    start = placed.end() if placed else lead.end() if lead else 0
    words = _WITHIN.sub("", _BEHIND.sub("", read[start:]))
    said = text[tokens[read.count(" ", 0, start)].start : tokens[-1].end]
    is_near = _THIS.search(read) is None
    choice = _CHOICE.match(read, start)
    if choice is not None and (choice["we"] or (choice["no"] and _is_of_tools(choice))):
        return _chosen(choice, said, speaker)
    if _is_rule(words, is_near=is_near, is_placed=placed is not None):
        return [
            _fact(
                speaker, "asks in this project", _shown(said), f"asks in this project: {_shown(said)}", said
            )
        ]
    return []


def _is_of_tools(choice: re.Match[str]) -> bool:
    return any(_TOOL.fullmatch(choice[name]) for name in ("o", "no"))


def _is_rule(words: str, *, is_near: bool, is_placed: bool) -> bool:
    """Whether words without their place tell how all is done there.

    Args:
        words: As they are read.
        is_near: Whether the place is only "here", which may be a line of code.
        is_placed: Whether they begin with the place.
    """
    if (ours := _WE.match(words)) is not None:
        return not is_near or _ONE_THING.match(ours["o"]) is None
    if any(pattern.match(words) for pattern in (_ALL, _ITSELF, _ORDERED)):
        return True
    kept = _KEPT.match(words) or (_VERBLESS.match(words) if is_placed else _NONE.match(words))
    return kept is not None and not is_near


def _chosen(choice: re.Match[str], said: str, speaker: str) -> list[Fact]:
    """What is chosen, and the end of an older choice of what it is chosen over."""
    verb, shown = choice["verb"], _shown(said)
    behind = shown[shown.lower().index(verb) + len(verb) + 1 :]
    thing, relation = behind.split()[0].rstrip(","), f"asks always to {verb}"
    found = [_fact(speaker, relation, thing, f"{relation} {behind} in this project", said)]
    if choice["no"]:
        over = behind.split()[-1]
        found.append(
            replace(
                _fact(speaker, relation, over, f"no longer {relation} {over} in this project", said),
                negated=True,
                change="ended",
                only_ends=True,
            )
        )
    return found


def _fact(speaker: str, relation: str, told: str, said: str, quote: str) -> Fact:
    return fact_of(
        speaker,
        SELF,
        SaidWords(
            relation=relation,
            object=told,
            said=said,
            category="instruction",
            confidence=EXPLICIT,
            quote=quote,
        ),
    )


def _shown(said: str) -> str:
    """The words without their place: "we use tabs"."""
    words = " ".join(_PLACED.sub("", " ".join(said.split())).split())
    return words if words[1:2].isupper() else words[:1].lower() + words[1:]
