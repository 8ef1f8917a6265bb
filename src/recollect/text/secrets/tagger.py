"""Which tokens of a text are secrets: the mean of two small trained networks.

A token is the sum of the vectors of its features: its letters, its shape, the parts of ``words.txt``
that it is in. Two convolutions look at the tokens beside it, and a maximum looks at all of them.
``scripts/build_secrets.py`` trains the network and says with what.

====================================== =================
text                                   marked
====================================== =================
btw netflix is moviefan88 now          ``moviefan88``
use 4471 for the alarm                 ``4471``
my gamertag is moviefan88, order 4471  nothing
====================================== =================
"""

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from itertools import accumulate, groupby, pairwise, product
from pathlib import Path
from typing import Final, NamedTuple
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from recollect.text.secrets.shapes import odd_points, shape_of
from recollect.text.secrets.tokens import Token
from recollect.text.secrets.words import NAMES, group_of, parts_of

FILE: Final = Path(__file__).with_name("tagger.npz")
BUCKETS: Final = 4096
"""Rows that features share by their hash; with the layers' sizes chosen by hand for a file below 100 KB."""
REACH, STEP = 5, 2
"""Tokens under each convolution, and the step between those under the second."""
NAMED: Final = 1.5
"""Log odds added to a word that is on no list behind "password is". Chosen on authors held back."""
_LONGEST: Final = 64
"""Characters of the longest token whose shape is looked at. Chosen by hand, as are the next."""
_SHOWN: Final = 16
_PREFIXES: Final = (3, 4, 6)
_INNER: Final = 5
_Floats = NDArray[np.float32]


class Weights(NamedTuple):
    """The trained arrays of N networks, ``float32``; H is the size of a layer, D that of a token's vector.

    Attributes:
        tokens: The vectors of features, of shape ``(BUCKETS, N * D)``.
        near: The first convolution, ``(N, REACH * D + 1, H)``; the last row is the bias, as in all.
        wide: The second, ``(N, REACH * H + 1, H)``.
        whole: Of the maximum over all tokens, ``(N, H, H)``.
        mixed: Of a token's vector, both convolutions and a bias, ``(N, D + 2 * H + 1, H)``.
        last: To the log odds, ``(N, H + 1, 1)``.
    """

    tokens: _Floats
    near: _Floats
    wide: _Floats
    whole: _Floats
    mixed: _Floats
    last: _Floats


class TokenBlock(NamedTuple):
    """A part of a text that the network reads as a whole.

    Attributes:
        text: The whole text.
        low: The same in lower case.
        tokens: Those of the part, at least one.
        named: Whether a name of a secret may stand in it.
    """

    text: str
    low: str
    tokens: Sequence[Token]
    named: bool


def log_odds(blocks: Sequence[TokenBlock]) -> Iterator[_Floats]:
    """The log odds that each token is a part of a secret, ``float32`` of shape ``(tokens,)`` for each block.

    Blocks are read many at a time: the products of one are too small for a processor to be busy with.
    """
    some: list[TokenBlock] = []
    count = 0
    for block in blocks:
        some.append(block)
        count += len(block.tokens)
        if count >= _AT_ONCE:
            yield from _odds(some)
            some, count = [], 0
    if some:
        yield from _odds(some)


def _odds(blocks: Sequence[TokenBlock]) -> list[_Floats]:
    weights = shipped()
    sizes = [len(block.tokens) for block in blocks]
    words = b"".join([_vector(token.text) for block in blocks for token in block.tokens])
    edges = [feature for block in blocks for feature in edge_features(block.text, block.tokens)]
    vectors = np.frombuffer(words, np.float32).reshape(len(edges), -1) + weights.tokens[edges]
    named = []
    starts = [0, *accumulate(sizes)]
    for block, start in zip(blocks, starts, strict=False):
        for place, feature in name_features(block.low, block.tokens) if block.named else ():
            vectors[start + place] += weights.tokens[feature]
            if feature == _PASSWORD and not parts_of(block.tokens[place].text.lower()):
                named.append(start + place)
    if len(blocks) == 1:
        odds = _network(_apart(vectors, weights), weights)
    else:
        layout = _laid_out(sizes)
        apart = np.zeros((len(layout.rows), vectors.shape[1]), np.float32)
        apart[layout.rows] = vectors
        odds = _network(_apart(apart, weights), weights, layout)[layout.rows]
    odds[named] += NAMED
    return [odds[start:end] for start, end in pairwise(starts)]


def _apart(vectors: _Floats, weights: Weights) -> _Floats:
    """The vectors of each network, of shape ``(N, rows, D)``."""
    return np.ascontiguousarray(vectors.reshape(len(vectors), len(weights.near), -1).swapaxes(0, 1))


class _Layout(NamedTuple):
    """Where the blocks stand that the networks read together, ``_GAP`` rows or more apart.

    Attributes:
        rows: Whether a token stands in a row; a multiple of ``_ROWS`` of them.
        starts: The row in which each block begins.
    """

    rows: NDArray[np.bool_]
    starts: NDArray[np.int64]


def _laid_out(sizes: Sequence[int]) -> _Layout:
    lengths = np.array(sizes, np.int64)
    ends = np.cumsum(lengths + _GAP) - _GAP
    starts = ends - lengths
    rows = np.full(-(-(int(ends[-1]) + _GAP) // _ROWS) * _ROWS, fill_value=False)
    for start, end in zip(starts.tolist(), ends.tolist(), strict=True):
        rows[start:end] = True
    return _Layout(rows, starts)


@lru_cache(16384)
def _vector(word: str) -> bytes:
    vector: bytes = shipped().tokens[list(own_features(word))].sum(0).tobytes()
    return vector


def _network(vectors: _Floats, weights: Weights, layout: _Layout | None = None) -> _Floats:
    """From vectors of shape ``(N, rows, D)`` of a block, or of several as laid out, to the networks' mean."""
    near = np.maximum(_layer(_around(vectors, 1), weights.near), 0)
    if layout is not None:
        near[:, ~layout.rows] = 0
    wide = np.maximum(_layer(_around(near, STEP), weights.wide), 0)
    mixed = _layer(np.concatenate([vectors, near, wide], 2), weights.mixed)
    if layout is None:
        mixed += wide.max(1, keepdims=True) @ weights.whole
    else:
        wide[:, ~layout.rows] = 0
        whole = np.maximum.reduceat(wide, layout.starts, axis=1) @ weights.whole
        mixed += np.repeat(whole, np.diff(layout.starts, append=len(layout.rows)), axis=1)
    odds: _Floats = _layer(np.maximum(mixed, 0), weights.last).sum(0)[:, 0] / len(weights.last)
    return odds


def _around(vectors: _Floats, step: int) -> _Floats:
    """Each token with ``REACH`` tokens around it, ``step`` apart."""
    (networks, count, size), edge = vectors.shape, REACH // 2 * step
    padded = np.zeros((networks, count + 2 * edge, size), np.float32)
    padded[:, edge : edge + count] = vectors
    return np.concatenate([padded[:, at * step : at * step + count] for at in range(REACH)], 2)


def _layer(vectors: _Floats, weights: _Floats) -> _Floats:
    """The product, for several blocks by ``_ROWS`` rows: BLAS would start threads for a larger one.

    They wait more than they do.
    """
    networks, count, size = vectors.shape
    if count % _ROWS:
        product: _Floats = vectors @ weights[:, :-1]
    else:
        by_rows: _Floats = vectors.reshape(networks, -1, _ROWS, size) @ weights[:, None, :-1]
        product = by_rows.reshape(networks, count, -1)
    product += weights[:, -1:]
    return product


def edge_features(text: str, tokens: Sequence[Token]) -> list[int]:
    """Of each token: whether a blank, another token or a line's end stands before and behind it."""
    ends = [token.start + len(token.text) for token in tokens]
    glued = [token.start == end for token, end in zip(tokens[1:], ends, strict=False)]
    before, behind = (
        [tokens[0].start > 0 and not text[tokens[0].start - 1].isspace(), *glued],
        [*glued, False],
    )
    within = "\n" in text[tokens[0].start : ends[-1] + 2]
    lines = ["\n" in text[end : end + 2] for end in ends] if within else [False] * len(ends)
    return [_EDGES[edge] for edge in zip(before, behind, lines, strict=True)]


def name_features(low: str, tokens: Sequence[Token]) -> Iterator[tuple[int, int]]:
    """The places of tokens that name a secret or what one opens, and of those behind; with what is named."""
    starts = [token.start for token in tokens]
    for match in NAMES.finditer(low, tokens[0].start, tokens[-1].end):
        first, last = (bisect_right(starts, place) - 1 for place in (match.start(), match.end() - 1))
        group = group_of(match[0])
        for place in range(first, last + 1):
            yield place, _bucket(f"G:{group}")
        behind = last + 1
        is_linked = behind < len(tokens) and "links" in parts_of(low[starts[behind] : tokens[behind].end])
        if behind + is_linked < len(tokens):
            yield behind + is_linked, _bucket(f"N:{group}:{is_linked}")


def own_features(word: str) -> tuple[int, ...]:
    """What a token shows by itself: its letters, its shape, and the parts of the list that it stands in."""
    low, shape = word.lower().replace("\u2019", "'"), "".join(map(_class_of, word[:_SHOWN]))
    letters, digits = sum(map(str.isalpha, word)), sum(map(str.isdigit, word))
    if not letters and not digits:
        return (_bucket(f"w:{low}"),)
    runs = "".join(sign for sign, _ in groupby(shape))
    features = [
        f"h:{shape}",
        f"c:{runs}",
        f"l:{min(len(word), _SHOWN)}",
        f"d:{min(digits, 9)}:{min(letters, 4)}",
    ]
    if letters:
        features.append(f"w:{low}")
        features += [f"p{size}:{low[:size]}" for size in _PREFIXES if letters > size]
        features += [f"s{size}:{low[-size:]}" for size in _PREFIXES[:2] if letters > _PREFIXES[1]]
        if letters > _INNER + 2:
            features += [f"t:{low[at : at + _INNER]}" for at in range(1, min(len(low) - _INNER + 1, _SHOWN))]
    elif _YEAR.fullmatch(word):
        features.append(f"y:{word[:2]}")
    looks = shape_of(word) if len(word) <= _LONGEST else None
    features.append(f"f:{looks}")
    if looks == "odd":
        features.append(f"o:{min(odd_points(word), 7)}")
    features += [f"L:{part}" for part in parts_of(low)]
    return tuple(map(_bucket, features))


def _class_of(sign: str) -> str:
    return "0" if sign.isdigit() else "A" if sign.isupper() else "a" if sign.isalpha() else sign


def _bucket(feature: str) -> int:
    return crc32(feature.encode(errors="replace")) % BUCKETS


@cache
def shipped() -> Weights:
    """The weights of ``tagger.npz``, read once. They are stored in bytes, with a scale for each network."""
    with np.load(FILE, allow_pickle=False) as arrays:
        named = {name: arrays[name].astype(np.float32) for name in arrays.files}
    scales = named.pop("scales")[:, :, None, None]
    scaled = {name: named[name] * scale for name, scale in zip(Weights._fields, scales, strict=True)}
    tokens = np.ascontiguousarray(scaled.pop("tokens").swapaxes(0, 1)).reshape(BUCKETS, -1)
    return Weights(tokens=tokens, **scaled)


_GAP: Final = REACH // 2 * STEP
"""Rows of zeros behind a block, as far as the second convolution reaches."""
_ROWS: Final = 32
"""Rows of a product; a text of some words fills one. This and the next are chosen by measurement."""
_AT_ONCE: Final = 1_000
"""Tokens of blocks that are read together."""
_EDGES: Final = {edge: _bucket(f"b:{edge}") for edge in product((False, True), repeat=3)}
_PASSWORD: Final = _bucket("N:password:True")
"""The feature of what stands behind a word for a password and "is" or a colon."""
_YEAR: Final = re.compile(r"\d{4}")
