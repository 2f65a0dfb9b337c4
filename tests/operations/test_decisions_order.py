"""In which order items come (decisions, section 4), by the service and by the oracle; pages are of two items."""

from __future__ import annotations

import pytest

from tests.builders import ALICE, APES, BOB, START, ask, nft, rate, transfer
from tests.operations.promises import EVERY_ORDER, MINT, NOW, OTHER_MINT
from tests.operations.rules import Rule, check

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("clock")]

MOST = 2**256 - 1
NUMBERS = ["0", "2", "10", str(2**53), str(2**53 + 1), str(MOST - 1), str(MOST)]
BY_ID = [*NUMBERS, *sorted([MINT, OTHER_MINT])]
ALL = f"transfers?contractAddress={APES}&sortBy="
MOVES = [(token, block) for token in ("1", "2", "10") for block in (2, 1, 0)]
BY_NFT = [f"{token}@{10 * block + int(token)}" for token, block in MOVES]

RULES: dict[str, Rule] = {
    "F1: most recent first goes by time, block, log and batch": [
        *(transfer("1", block=5, log=9, timestamp=START), transfer("2", block=6, log=0, timestamp=START)),
        *(
            transfer("3", block=6, log=1, timestamp=START),
            transfer("4", block=6, log=1, batch=1, timestamp=START),
        ),
        transfer("5", block=4, timestamp=START + 1),
        {"": "5 4 3 2 1", ALL: "5@4 4@6 3@6 2@6 1@5"},
    ],
    "an NFT goes by its last transfer, whenever that arrived, and one never transferred comes last": [
        *(nft("9"), transfer("1", block=1), transfer("2", block=2)),
        {"": "2 1 9"},
        transfer("1", block=5, sender=ALICE, receiver=BOB),
        {"": "1 2 9"},
        *(transfer("2", block=3, sender=ALICE, receiver=ALICE), transfer("9", block=6)),
        {"": "9 1 2", ALL: "9@6 1@5 2@3 2@2 1@1"},
    ],
    "F31: token ids go by their value, then mints by their bytes, and descending is the exact reverse": [
        *(nft(number) for number in reversed(NUMBERS)),
        *(nft(mint, None, "solana") for mint in (OTHER_MINT, MINT)),
        {"sortBy=tokenId": " ".join(BY_ID), "sortBy=TOKENID-asc": " ".join(BY_ID)},
        {"sortBy=tokenId-desc": " ".join(BY_ID[::-1])},
    ],
    "F2, F17: the rarest first by score, which may differ from rank, and all that have none last": [
        *(nft("1", rarity=1.5, rank=1), nft("2"), nft("3", rarity=2, rank=2), nft("4", rarity=0), nft("5")),
        nft("6", rarity=1.5),
        {"sortBy=rarity": "3 1 6 4 2 5"},
    ],
    "F3, F5: asks ascend, and what has none follows in the default order, none left out": [
        *(transfer("1", block=1), transfer("2", block=2), nft("3"), ask("4", price="5")),
        *(ask("5", price="1"), ask("5", price="9"), ask("1", price="2", validUntil=NOW)),
        {"sortBy=lowestAsk": "5 4 2 1 3", "sortBy=highestAsk": "4 5 2 1 3"},
        {f"contractAddress={APES}&sortBy=lowestAsk": "5 4 2 1 3"},
        {"tokenId=4,5&sortBy=lowestAsk": "5 4", "tokenId=4,5&sortBy=highestAsk": "4 5"},
    ],
    "asks compare by value at the newest rate that is not of the future": [
        *(
            rate("ETH", "1000", START),
            rate("USDC", "1", START),
            ask("1"),
            ask("2", currency="USDC", price="1500"),
        ),
        {"sortBy=lowestAsk": "1 2"},
        *(rate("ETH", "2000", NOW), rate("ETH", "1", NOW + 1), ask("3", currency="USDC", price="2001")),
        {"sortBy=lowestAsk": "2 1 3", "sortBy=highestAsk": "2 1 3"},
    ],
    "a wrapped token has the native one's rate, and its own only where there is none": [
        *(rate("ETH", "2000"), rate("WETH", "1"), rate("WSOL", "100"), rate("USDC", "1")),
        *(ask("1", currency="WETH"), ask("2", currency="USDC", price="1999"), ask("3", currency="WSOL")),
        {"sortBy=lowestAsk": "3 2 1"},
    ],
    "a wrapped token without any rate of its chain still compares at par": [
        *(ask("1", currency="WETH", price="2"), ask("2", price="1"), ask("3", price="3")),
        {"sortBy=lowestAsk": "2 1 3"},
    ],
    "asks without a rate come behind those with one, by plain price": [
        *(
            rate("ETH", "2000"),
            ask("1", currency="DOUBLOON", price="0.1"),
            ask("2", currency="GROAT", price="0.2"),
        ),
        *(ask("3", price="1000"), ask("4", price="1"), ask("4", currency="GROAT", price="0.3"), nft("5")),
        {"sortBy=lowestAsk": "4 3 1 2 5", "sortBy=highestAsk": "3 1 2 4 5"},
    ],
    "F28: one wei makes a difference": [
        *(ask("2", price="0.070000000000000001"), ask("1", price="0.07"), ask("3", price="9" + "0" * 58)),
        {"sortBy=lowestAsk": "1 2 3"},
    ],
    "transfers in an order of NFTs go by the NFT, and then most recent first": [
        *(
            transfer(str(token), block=10 * block + token, sender=ALICE, receiver=BOB)
            for token in (1, 2, 10)
            for block in range(3)
        ),
        *(
            nft("1", rarity=3),
            nft("2", rarity=2),
            nft("10", rarity=1),
            *(nft(str(unmoved), rarity=9) for unmoved in range(20, 26)),
            ask("1"),
            ask("2", price="2"),
        ),
        {f"{ALL}{order}": " ".join(BY_NFT) for order in ("tokenId", "lowestAsk", "highestAsk", "rarity")},
        {f"{ALL}tokenId-desc": " ".join([*BY_NFT[6:], *BY_NFT[3:6], *BY_NFT[:3]])},
    ],
    "ties fall in the order in which things came, and in descending order the other way": [
        *(nft("1", "0x" + digit * 40, rarity=1) for digit in "57391"),
        *(nft(token, rarity=1) for token in "53819"),
        *(ask(token) for token in "95381"),
        {"sortBy=rarity": "1 1 1 1 1 5 3 8 1 9", "sortBy=lowestAsk&tokenId=3,5,8,9": "5 3 8 9"},
        {f"tokenId=5&sortBy={order}": "5" for order in EVERY_ORDER},
    ],
}


@pytest.mark.parametrize("rule", RULES.values(), ids=RULES)
def test_rule(rule: Rule) -> None:
    check(rule)
