"""IP addresses that may lead to a person: not those of the own machine, of local networks or of versions."""

import re
from collections.abc import Iterator
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address
from typing import Final

from recollect.text.pii.context import words
from recollect.text.pii.spans import LIKELY, PLAUSIBLE, PiiSpan, span
from recollect.types.regex import lazy_regex


def ip_addresses(text: str) -> Iterator[PiiSpan]:
    """IP addresses in a folded text."""
    if text.count(".") >= _DOTS:
        yield from _of_version_4(text)
    if _TWO_COLONS.search(text):
        yield from _of_version_6(text)


def _of_version_4(text: str) -> Iterator[PiiSpan]:
    for match in _FOUR.finditer(text):
        near = text[max(0, match.start() - _REACH) : match.start()]
        address = None if _OTHER_BEFORE.search(near) else _read(match.group())
        if address is None:
            continue
        named = _NETWORK.search(near) is not None
        likely = address.packed[0] > _FIRST_OF_OIDS and max(address.packed) > _HIGHEST_OF_VERSIONS
        if named or likely:
            yield span(
                "ip", text, match.span(), confidence=LIKELY if named else PLAUSIBLE, rule="IPv4 address"
            )


def _of_version_6(text: str) -> Iterator[PiiSpan]:
    for match in _SIX.finditer(text):
        if match.group().count(":") >= _COLONS and _read(match.group()) is not None:
            yield span("ip", text, match.span(), confidence=LIKELY, rule="IPv6 address")


def _read(written: str) -> IPv4Address | IPv6Address | None:
    """The address; None when it is invalid or local."""
    try:
        address = ip_address(written)
    except ValueError:
        return None
    if isinstance(address, IPv6Address) and address.ipv4_mapped:
        address = address.ipv4_mapped
    special = address.is_loopback or address.is_link_local or address.is_multicast or address.is_unspecified
    return None if special or _is_local(address) else address


def _is_local(address: IPv4Address | IPv6Address) -> bool:
    if isinstance(address, IPv6Address):
        return address in _LOCAL_6
    return any(address in network for network in _LOCAL_4)


_DOTS: Final = 3
_COLONS: Final = 3
"""Fewer colons make "a::b", which parses as an address and seldom is one."""
_REACH: Final = 25
"""Characters before an address that may say what it is. Chosen by hand."""
_HIGHEST_OF_VERSIONS: Final = 40
"""Four numbers that are all this low are taken for a version or a section. Chosen by hand."""
_FIRST_OF_OIDS: Final = 2
"""Object identifiers begin with 0, 1 or 2 (X.660)."""
_LOCAL_4: Final = tuple(
    IPv4Network(written)
    for written in ("0.0.0.0/8", "10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "240.0.0.0/4")
)
_LOCAL_6: Final = IPv6Network("fc00::/7")
"""Local networks (RFC 1918, RFC 4193) and what is no address of a machine (RFC 1122, RFC 1112)."""
_FOUR: Final = lazy_regex(r"[0-9]{1,3}(?:\.[0-9]{1,3}){3}(?![\w-]|\.[0-9])", re.ASCII)
_TWO_COLONS: Final = lazy_regex(":[0-9A-Fa-f]{0,4}:")
_SIX: Final = lazy_regex(r"(?<![\w:.])[0-9A-Fa-f:]{4,39}(?:\.[0-9]{1,3}){0,3}(?![\w:]|\.[0-9])", re.ASCII)
_NETWORK: Final = words("ip|ipv4|address|host|server|login|connect|ping|subnet|client|from")
_OTHER_BEFORE: Final = lazy_regex(
    r"(?:[\w.-]|(?<![A-Za-z])(?:version|v|ver|release|build|firmware|driver|section|chapter|clause|chrome|windows|ios"
    r"|kernel|update|patch)\.? ?|==|@)\Z",
    re.IGNORECASE,
)
"""Names of numbers with dots that are no addresses, chosen by hand; and what a number goes on from."""
