"""Queries that must be refused, each with every fault expected: (operation, query string, [(parameter, code), …]).

Shared by the tests of the filter sets and the tests over HTTP. Only the well-known chains and currencies are assumed,
no data; `cursor_mismatch` needs a real cursor and is tested where pages are.
"""

from __future__ import annotations

NFTS = "nfts"
TRANSFERS = "transfers"

EVM = "0xb47e3cd837ddf8e4c57f05d70ab865de6e193bbb"
MINT = "Ax7EjwgRaerUacfCAptcMnkckmf8Wiee5T9KLqSzsF6"
CONTRACT = f"contractAddress={EVM}"
"""What makes a query of Transfers by Token complete."""

Row = tuple[str, str, list[tuple[str, str]]]

# What either operation refuses alike; `contractAddress` is added for Transfers by Token.
_SHARED: list[tuple[str, list[tuple[str, str]]]] = [
    # unknown names
    ("foo=1", [("foo", "unknown_parameter")]),
    ("foo", [("foo", "unknown_parameter")]),
    ("foo=", [("foo", "unknown_parameter")]),
    ("=1", [("", "unknown_parameter")]),
    ("tokenid=1", [("tokenid", "unknown_parameter")]),
    ("token_id=1", [("token_id", "unknown_parameter")]),
    ("Limit=5", [("Limit", "unknown_parameter")]),
    ("page=2", [("page", "unknown_parameter")]),
    ("offset=30", [("offset", "unknown_parameter")]),
    ("tokenId[]=1", [("tokenId[]", "unknown_parameter")]),
    ("limit%20=5", [("limit ", "unknown_parameter")]),
    ("%ff=1", [("\ufffd", "unknown_parameter")]),
    ("li%00mit=1", [("li\x00mit", "unknown_parameter")]),
    ("_form=1", [("_form", "unknown_parameter")]),
    ("__all__=1", [("__all__", "unknown_parameter")]),
    ("sort=rarity&dir=desc", [("sort", "unknown_parameter"), ("dir", "unknown_parameter")]),
    ("limit=5;chain=ethereum", [("limit", "invalid")]),
    # limit
    ("limit=0", [("limit", "invalid")]),
    ("limit=00", [("limit", "invalid")]),
    ("limit=31", [("limit", "invalid")]),
    ("limit=100", [("limit", "invalid")]),
    ("limit=010", [("limit", "invalid")]),
    ("limit=-1", [("limit", "invalid")]),
    ("limit=%2B5", [("limit", "invalid")]),
    ("limit=5.0", [("limit", "invalid")]),
    ("limit=1e1", [("limit", "invalid")]),
    ("limit=1_0", [("limit", "invalid")]),
    ("limit=0x5", [("limit", "invalid")]),
    ("limit=ten", [("limit", "invalid")]),
    ("limit=%D9%A3", [("limit", "invalid")]),  # Arabic-Indic three
    ("limit=%EF%BC%95", [("limit", "invalid")]),  # full-width five
    ("limit=%C2%B2", [("limit", "invalid")]),  # superscript two
    ("limit=5%00", [("limit", "invalid")]),
    ("limit=5,6", [("limit", "invalid")]),
    ("limit=5&limit=6", [("limit", "invalid")]),
    ("limit=31&limit=32", [("limit", "invalid"), ("limit", "invalid")]),
    # chain
    ("chain=etherium", [("chain", "invalid_choice")]),
    ("chain=2", [("chain", "invalid_choice")]),
    ("chain=01", [("chain", "invalid_choice")]),
    ("chain=0x1", [("chain", "invalid_choice")]),
    ("chain=eip155:2", [("chain", "invalid_choice")]),
    ("chain=eip155:", [("chain", "invalid_choice")]),
    ("chain=solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp", [("chain", "invalid_choice")]),
    ("chain=ethereum,polygon", [("chain", "invalid_choice")]),
    ("chain=ethereum&chain=polygon", [("chain", "invalid")]),
    ("chain=1&chain=eip155:137", [("chain", "invalid")]),
    ("chain=ethereum&chain=nope", [("chain", "invalid_choice")]),
    ("chain=ethereum%00", [("chain", "invalid")]),
    ("chain=%ff%fe", [("chain", "invalid")]),
    ("chain=" + "x" * 5000, [("chain", "max_length")]),
    # sortBy
    ("sortBy=price", [("sortBy", "invalid_choice")]),
    ("sortBy=tokenId-ascending", [("sortBy", "invalid_choice")]),
    ("sortBy=-tokenId", [("sortBy", "invalid_choice")]),
    ("sortBy=rarity,tokenId", [("sortBy", "invalid_choice")]),
    ("sortBy=rarity&sortBy=tokenId", [("sortBy", "invalid")]),
    ("sortBy=tokenId&sortBy=tokenId-desc", [("sortBy", "invalid")]),
    ("sortBy=%ed%a0%80", [("sortBy", "invalid")]),
    ("sortBy=rarit%C4%B1", [("sortBy", "invalid_choice")]),  # dotless i
    # cursor
    ("cursor=abc", [("cursor", "cursor_invalid")]),
    ("cursor=null", [("cursor", "cursor_invalid")]),
    ("cursor=0", [("cursor", "cursor_invalid")]),
    ("cursor=%7B%22ethereum%22:null%7D", [("cursor", "cursor_invalid")]),
    ("cursor=eyJ2IjoxfQ.AAAA", [("cursor", "cursor_invalid")]),
    ("cursor=.", [("cursor", "cursor_invalid")]),
    ("cursor=%C3%A9", [("cursor", "cursor_invalid")]),
    ("cursor=a%00b", [("cursor", "invalid")]),
    ("cursor=%ff", [("cursor", "invalid")]),
    ("cursor=" + "a" * 3000, [("cursor", "max_length")]),
    # several at once
    (
        "limit=99&chain=nope&sortBy=nope&cursor=nope&nope=1",
        [
            ("nope", "unknown_parameter"),
            ("limit", "invalid"),
            ("chain", "invalid_choice"),
            ("sortBy", "invalid_choice"),
            ("cursor", "cursor_invalid"),
        ],
    ),
    ("tokenId=x&limit=0", [("tokenId", "invalid"), ("limit", "invalid")]),
    # token ids, of which Transfers by Token takes one and NFTs by Token a list
    ("tokenId=-1", [("tokenId", "invalid")]),
    ("tokenId=%2B1", [("tokenId", "invalid")]),
    ("tokenId=1e21", [("tokenId", "invalid")]),
    ("tokenId=1.0", [("tokenId", "invalid")]),
    ("tokenId=1_000", [("tokenId", "invalid")]),
    ("tokenId=0x", [("tokenId", "invalid")]),
    ("tokenId=0xg1", [("tokenId", "invalid")]),
    ("tokenId=ff", [("tokenId", "invalid")]),
    ("tokenId=%D9%A3", [("tokenId", "invalid")]),
    ("tokenId=%C2%B2", [("tokenId", "invalid")]),
    (f"tokenId={2**256}", [("tokenId", "invalid")]),
    (f"tokenId={2**256:#x}", [("tokenId", "invalid")]),
    (f"tokenId={MINT[:-1]}0", [("tokenId", "invalid")]),  # no base58
    ("tokenId=" + "z" * 44, [("tokenId", "invalid")]),  # 33 bytes
    ("tokenId=" + "2" * 20 + "A", [("tokenId", "invalid")]),  # too short for a mint
    ("tokenId=solana.0x1668E0FB0Dd39e54fE33f80a9F37c4dBF172E1b0", [("tokenId", "invalid")]),
    ("tokenId=" + "9" * 300, [("tokenId", "max_length")]),
    ("tokenId=1%00", [("tokenId", "invalid")]),
    ("tokenId=%ed%a0%80", [("tokenId", "invalid")]),
    (f"chain=ethereum&tokenId={MINT}", [("tokenId", "invalid")]),
    ("chain=solana&tokenId=1", [("tokenId", "invalid")]),
    ("chain=solana&tokenId=0x1", [("tokenId", "invalid")]),
    (f"chain=nope&tokenId={MINT}x!", [("chain", "invalid_choice"), ("tokenId", "invalid")]),
]

# Faults of contractAddress, which either operation reads alike.
_CONTRACTS: list[tuple[str, list[tuple[str, str]]]] = [
    ("contractAddress=0x123", [("contractAddress", "invalid")]),
    (f"contractAddress={EVM[:-1]}", [("contractAddress", "invalid")]),
    (f"contractAddress={EVM}0", [("contractAddress", "invalid")]),
    (f"contractAddress={EVM[:-1]}g", [("contractAddress", "invalid")]),
    (f"contractAddress={EVM[2:]}!", [("contractAddress", "invalid")]),
    ("contractAddress=punks", [("contractAddress", "invalid")]),
    (f"contractAddress={MINT[:31]}", [("contractAddress", "invalid")]),
    (f"contractAddress={MINT}xx", [("contractAddress", "invalid")]),
    (f"contractAddress={MINT[:-1]}-", [("contractAddress", "invalid")]),
    (f"contractAddress={MINT[:-1]}%C3%A9", [("contractAddress", "invalid")]),
    (f"contractAddress={EVM},{EVM}", [("contractAddress", "invalid")]),
    (f"contractAddress={EVM}&contractAddress={EVM[:-1]}c", [("contractAddress", "invalid")]),
    ("contractAddress=.", [("contractAddress", "invalid")]),
    ("contractAddress=.eth", [("contractAddress", "invalid")]),
    ("contractAddress=a..eth", [("contractAddress", "invalid")]),
    ("contractAddress=a%20b.eth", [("contractAddress", "invalid")]),
    ("contractAddress=a_b.eth", [("contractAddress", "invalid")]),
    ("contractAddress=xn--ls8h.eth", [("contractAddress", "invalid")]),
    ("contractAddress=0%E2%82%BF%D1%81.eth", [("contractAddress", "invalid")]),  # mixed scripts
    ("contractAddress=nobody-has-this-name.eth", [("contractAddress", "ens_unavailable")]),
    ("contractAddress=Sub.Nobody-Has-This-Name.ETH", [("contractAddress", "ens_unavailable")]),
    ("contractAddress=" + "a" * 300 + ".eth", [("contractAddress", "max_length")]),
    ("contractAddress=" + "a" * 300, [("contractAddress", "max_length")]),
    (f"contractAddress={EVM}%00", [("contractAddress", "invalid")]),
    ("contractAddress=%ff.eth", [("contractAddress", "invalid")]),
    (
        "contractAddress=nobody-has-this-name.eth&cursor=x&limit=0",
        [("contractAddress", "ens_unavailable"), ("cursor", "cursor_invalid"), ("limit", "invalid")],
    ),
]

_TRANSFERS: list[tuple[str, list[tuple[str, str]]]] = [
    ("", [("contractAddress", "required")]),
    ("contractAddress=", [("contractAddress", "required")]),
    ("contractAddress", [("contractAddress", "required")]),
    ("contractAddress=%20&contractAddress=", [("contractAddress", "required")]),
    ("tokenId=1", [("contractAddress", "required")]),
    ("limit=0", [("contractAddress", "required"), ("limit", "invalid")]),
    (f"{CONTRACT}&tokenId=1,2", [("tokenId", "invalid")]),
    (f"{CONTRACT}&tokenId=1&tokenId=2", [("tokenId", "invalid")]),
    (f"{CONTRACT}&tokenId=%221%22", [("tokenId", "invalid")]),
    (f"{CONTRACT}&traits=a-b", [("traits", "unknown_parameter")]),
    (f"{CONTRACT}&includeLastTransfer=true", [("includeLastTransfer", "unknown_parameter")]),
    (f"{CONTRACT}&excludeMarkedNfts", [("excludeMarkedNfts", "unknown_parameter")]),
    (f"{CONTRACT}&priceFilter=eth,0,1", [("priceFilter", "unknown_parameter")]),
]

_NFTS: list[tuple[str, list[tuple[str, str]]]] = [
    # flags
    ("excludeMarkedNfts=yes", [("excludeMarkedNfts", "invalid")]),
    ("excludeMarkedNfts=2", [("excludeMarkedNfts", "invalid")]),
    ("excludeMarkedNfts=on", [("excludeMarkedNfts", "invalid")]),
    ("includeLastTransfer=null", [("includeLastTransfer", "invalid")]),
    ("includeLastTransfer=%EF%BC%91", [("includeLastTransfer", "invalid")]),
    ("includeLastTransfer=true&includeLastTransfer=0", [("includeLastTransfer", "invalid")]),
    ("excludeMarkedNfts=1&excludeMarkedNfts=FALSE", [("excludeMarkedNfts", "invalid")]),
    ("excludeMarkedNfts=true%00", [("excludeMarkedNfts", "invalid")]),
    # lists
    ("tokenId=1,x,2", [("tokenId", "invalid")]),
    ("tokenId=x,y", [("tokenId", "invalid"), ("tokenId", "invalid")]),
    ("tokenId=1%202", [("tokenId", "invalid")]),
    ("tokenId=%221", [("tokenId", "invalid")]),
    ("tokenId=%221%22x,2", [("tokenId", "invalid")]),
    ("tokenId=%221%22%20,2", [("tokenId", "invalid")]),
    (
        "tokenId=%20%221,2%22",
        [("tokenId", "invalid"), ("tokenId", "invalid")],
    ),  # quoted only from the first character on
    ("tokenId=" + ",".join(map(str, range(31))), [("tokenId", "max_length")]),
    ("&".join(f"tokenId={number}" for number in range(31)), [("tokenId", "max_length")]),
    ("excludedTokenIds=" + ",".join(map(hex, range(31))), [("excludedTokenIds", "max_length")]),
    ("excludedTokenIds=-5", [("excludedTokenIds", "invalid")]),
    (f"tokenId={MINT},1&chain=ethereum", [("tokenId", "invalid")]),
    ("traits=Gold", [("traits", "invalid")]),
    ("traits=Type-Alien,Gold", [("traits", "invalid")]),
    ("traits=Type%E2%80%94Alien", [("traits", "invalid")]),  # an em dash is no dash
    ("traits=%22Mouth-Bored, Pierced", [("traits", "invalid")]),
    ("traits=%22Mouth-Bored%22, Pierced%22", [("traits", "invalid")]),
    ("traits=" + ",".join(f"a-{number}" for number in range(31)), [("traits", "max_length")]),
    ("traits=a-" + "b" * 1000, [("traits", "max_length")]),
    ("traits=a-b%00", [("traits", "invalid")]),
    ("traits=a-%ed%a0%80", [("traits", "invalid")]),
    ("excludedTraits=Gold", [("excludedTraits", "invalid")]),
    ("excludedTraits=%22", [("excludedTraits", "invalid")]),
    ("excludedTraits=" + ",".join(f"a-{number}" for number in range(31)), [("excludedTraits", "max_length")]),
    ("marketplaces=" + "m" * 101, [("marketplaces", "max_length")]),
    ("marketplaces=%22opensea", [("marketplaces", "invalid")]),
    ("marketplaces=opensea%00", [("marketplaces", "invalid")]),
    # priceFilter
    ("priceFilter=", [("priceFilter", "invalid")]),
    ("priceFilter", [("priceFilter", "invalid")]),
    ("priceFilter=%20", [("priceFilter", "invalid")]),
    ("priceFilter=eth", [("priceFilter", "invalid")]),
    ("priceFilter=eth,1", [("priceFilter", "invalid")]),
    ("priceFilter=eth,1,2,3", [("priceFilter", "invalid")]),
    ("priceFilter=,,", [("priceFilter", "invalid")]),
    ("priceFilter=,1,2", [("priceFilter", "invalid")]),
    ("priceFilter=doubloon,1,2", [("priceFilter", "invalid_choice")]),
    ("priceFilter=eth,2,1", [("priceFilter", "invalid")]),
    ("priceFilter=eth,-1,", [("priceFilter", "invalid")]),
    ("priceFilter=eth,%2B1,", [("priceFilter", "invalid")]),
    ("priceFilter=eth,.5,", [("priceFilter", "invalid")]),
    ("priceFilter=eth,5.,", [("priceFilter", "invalid")]),
    ("priceFilter=eth,1e3,", [("priceFilter", "invalid")]),
    ("priceFilter=eth,1_0,", [("priceFilter", "invalid")]),
    ("priceFilter=eth,0x1,", [("priceFilter", "invalid")]),
    ("priceFilter=eth,NaN,", [("priceFilter", "invalid")]),
    ("priceFilter=eth,,Infinity", [("priceFilter", "invalid")]),
    ("priceFilter=eth,%D9%A3,", [("priceFilter", "invalid")]),
    ("priceFilter=eth,a,b", [("priceFilter", "invalid"), ("priceFilter", "invalid")]),
    ("priceFilter=nope,a,1", [("priceFilter", "invalid_choice"), ("priceFilter", "invalid")]),
    ("priceFilter=eth,0," + "9" * 101, [("priceFilter", "max_length")]),
    ("priceFilter=eth,0,1&priceFilter=eth,0,2", [("priceFilter", "invalid")]),
    ("priceFilter=eth,0,1&priceFilter=weth,0,1", [("priceFilter", "invalid")]),
    ("priceFilter=eth,0,1&priceFilter=", [("priceFilter", "invalid")]),
    ("priceFilter=eth%00,0,1", [("priceFilter", "invalid")]),
    # everything at once, and an empty list hides no fault
    ("tokenId=&limit=0", [("limit", "invalid")]),
    (
        "chain=x&cursor=x&limit=x&includeLastTransfer=x&contractAddress=x&tokenId=x&traits=x&excludedTraits=x"
        "&sortBy=x&priceFilter=x&marketplaces=%22x&excludedTokenIds=x&excludeMarkedNfts=x",
        [
            ("chain", "invalid_choice"),
            ("cursor", "cursor_invalid"),
            ("limit", "invalid"),
            ("includeLastTransfer", "invalid"),
            ("contractAddress", "invalid"),
            ("tokenId", "invalid"),
            ("traits", "invalid"),
            ("excludedTraits", "invalid"),
            ("sortBy", "invalid_choice"),
            ("priceFilter", "invalid"),
            ("marketplaces", "invalid"),
            ("excludedTokenIds", "invalid"),
            ("excludeMarkedNfts", "invalid"),
        ],
    ),
]

BAD_QUERIES: list[Row] = [
    *((NFTS, query, faults) for query, faults in (*_SHARED, *_CONTRACTS, *_NFTS)),
    *((TRANSFERS, f"{CONTRACT}&{query}", faults) for query, faults in _SHARED),
    *((TRANSFERS, query, faults) for query, faults in (*_CONTRACTS, *_TRANSFERS)),
]
