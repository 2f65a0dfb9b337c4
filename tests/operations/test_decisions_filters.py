"""Which NFTs and transfers a query finds (decisions, section 3), by the service and by the oracle."""

from __future__ import annotations

from typing import Any

import pytest

from tests.builders import ALICE, APES, BOB, START, ask, contract, ens, nft, rate, transfer
from tests.operations.promises import COLLECTION, EDITIONS, EVERY_ORDER, MINT, NOW, OTHER_MINT
from tests.operations.rules import Rule, check

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("clock")]

OF_APES, OF_ALICE = f"contractAddress={APES}", f"contractAddress={ALICE}"
MOST = 2**256 - 1
LISTS = ("tokenId", "traits", "excludedTraits", "marketplaces", "excludedTokenIds")
LOWER = COLLECTION[0].lower() + COLLECTION[1:]
SOLD: dict[str, Any] = {"sender": None, "receiver": OTHER_MINT, "transactionHash": "5" * 87}

CONTRACTS: dict[str, Rule] = {
    "one contract address can live on several chains": [
        *(nft("1"), nft("2", on="polygon"), nft("3", ALICE)),
        {f"{OF_APES}&sortBy=tokenId": "1 2", f"{OF_APES}&chain=polygon": "2", f"{OF_APES}&chain=1": "1"},
        {f"contractAddress={APES.upper().replace('X', 'x')}": "1 2"},
    ],
    "F91: what is not known is an empty page": [
        transfer("1"),
        {f"contractAddress=0x{'9' * 40}": "", f"{OF_APES}&tokenId=999": "", f"{OF_APES}&chain=polygon": ""},
        {f"transfers?{OF_ALICE}": "", f"transfers?{OF_APES}&tokenId=9": ""},
    ],
    "F45: a collection is found exactly, or as the only one in other letter case": [
        nft(MINT, COLLECTION, "solana"),
        {f"contractAddress={COLLECTION}": MINT, f"contractAddress={COLLECTION.swapcase()}": MINT},
        nft(OTHER_MINT, COLLECTION.upper(), "solana"),
        {f"contractAddress={COLLECTION}": MINT, f"contractAddress={COLLECTION.swapcase()}": ""},
    ],
    "F45: mints that differ in letter case are two": [
        nft(COLLECTION, None, "solana"),
        {f"tokenId={COLLECTION}": COLLECTION, f"tokenId={LOWER}": "", f"tokenId={MINT}&chain=solana": ""},
    ],
    "F48: a name stands for its address on every EVM chain, and its own line wins over a contract's claim": [
        *(nft("1"), nft("2", on="polygon"), nft("3", ALICE), contract(ALICE, ensName="ape.eth")),
        {"contractAddress=Ape.eth": "3"},
        *(ens("ape.eth", APES), ens("nobody.eth", None)),
        {"contractAddress=ape.eth": "1 2", "contractAddress=APE.eth&chain=eip155:137": "2"},
        {"contractAddress=ape.eth&chain=solana": "", "contractAddress=nobody.eth": ""},
        {"transfers?contractAddress=nobody.eth": "", "transfers?contractAddress=ape.eth": ""},
    ],
    "transfers are of a contract or of one token of it": [
        *(transfer("1", block=1), transfer("2", block=2)),
        transfer("1", block=3, sender=ALICE, receiver=BOB),
        {f"transfers?{OF_APES}": "1@3 2@2 1@1", f"transfers?{OF_APES}&tokenId=0x1": "1@3 1@1"},
        {f"transfers?{OF_APES}&tokenId=": "1@3 2@2 1@1", f"transfers?{OF_APES}&chain=polygon": ""},
    ],
    "transfers of a mint are found by the collection or by the mint itself": [
        transfer(MINT, COLLECTION, "solana", **SOLD),
        {
            f"transfers?contractAddress={COLLECTION}": f"{MINT}@1",
            f"transfers?contractAddress={MINT}": f"{MINT}@1",
        },
        {f"transfers?contractAddress={MINT}&tokenId={MINT}&chain=solana": f"{MINT}@1"},
        {f"transfers?contractAddress={MINT}&tokenId={OTHER_MINT}": ""},
        {f"transfers?contractAddress={MINT}&chain=ethereum": ""},
    ],
}
TOKENS: dict[str, Rule] = {
    "F24, F25: token ids need no contract, and are exact in all their bits": [
        *(
            nft("1"),
            nft("1", ALICE),
            nft("1", on="polygon"),
            nft(str(2**53)),
            nft(str(2**53 + 1)),
            nft(str(MOST)),
        ),
        {"tokenId=1": "1 1 1", f"tokenId={2**53 + 1}": f"{2**53 + 1}", f"tokenId=0x{'f' * 64}": f"{MOST}"},
        {f"excludedTokenIds=1,{2**53}&sortBy=tokenId": f"{2**53 + 1} {MOST}"},
    ],
    "F31, F89: ids that nobody has are left out, and repeated ones come once, however they are spelled": [
        *(nft("0x1"), nft("002"), nft("3")),
        {"tokenId=3,99,1,3,0x3,03&sortBy=tokenId": "1 3", "tokenId=2&tokenId=1&sortBy=tokenId-desc": "2 1"},
        {f"tokenId={MINT},1": "1", "excludedTokenIds=1,3,0x3": "2", "tokenId=1,2&excludedTokenIds=1": "2"},
    ],
    "token ids on any contract hold beside a price, in every order": [
        *(nft("1"), nft("2"), nft("1", ALICE), ask("1"), ask("2")),
        {f"tokenId=1&priceFilter=eth,,2&sortBy={order}": "1" for order in EVERY_ORDER},
        {f"tokenId=1&priceFilter=eth,,2&marketplaces=opensea&sortBy={order}": "1" for order in EVERY_ORDER},
    ],
    "F90: a list that is defined but empty empties the answer, also one that excludes": [
        *(nft("1", traits=[("Hat", "Cap")]), nft("2")),
        {f"{name}={blank}": "" for name in LISTS for blank in ("", ",", '""', " , ,")},
    ],
    "F88: marks of an NFT and of its contract count alike whenever they come, only on request, until taken back": [
        *(nft("1", marked=True), nft("2"), nft("3", ALICE), contract(ALICE, marked=True)),
        {
            "excludeMarkedNfts": "2",
            "excludeMarkedNfts=false&sortBy=tokenId": "1 2 3",
            "sortBy=tokenId": "1 2 3",
        },
        nft("4", ALICE),
        {"excludeMarkedNfts=1": "2"},
        contract(ALICE, marked=False),
        {"excludeMarkedNfts=1&sortBy=tokenId": "2 3 4"},
        nft("1", marked=None),
        {"excludeMarkedNfts=1&sortBy=tokenId": "1 2 3 4"},
    ],
    "every filter must hold": [
        *(transfer("1", block=1, markets=["blur"]), nft("1", traits=[("Hat", "Cap")])),
        *(transfer("2", block=2, markets=["opensea"]), nft("2", traits=[("Hat", "Cap")])),
        transfer("3", block=3, markets=["blur"]),
        *(transfer("4", block=4, markets=["blur"]), nft("4", traits=[("Hat", "Cap")], marked=True)),
        *(transfer("5", block=5, markets=["blur"]), nft("5", traits=[("Hat", "Cap"), ("Fur", "Red")])),
        *(transfer("6", on="polygon", markets=["blur"]), nft("6", on="polygon", traits=[("Hat", "Cap")])),
        {f"traits=Hat-Cap&marketplaces=blur&{OF_APES}&sortBy=tokenId": "1 4 5 6"},
        {f"traits=Hat-Cap&marketplaces=blur&{OF_APES}&chain=1&excludeMarkedNfts&excludedTraits=Fur-Red": "1"},
        {f"traits=Hat-Cap&marketplaces=blur&{OF_APES}&excludedTokenIds=1,4,5": "6"},
    ],
}
TRAITS: dict[str, Rule] = {
    "entries of one type are alternatives, whether anybody has them or not, and types must all hold": [
        nft("1", traits=[("Type", "Alien"), ("Hat", "Cap")]),
        nft("2", traits=[("Type", "Ape"), ("Hat", "Cap")]),
        nft("3", traits=[("Type", "Ape"), ("Hat", "Crown")]),
        {"traits=Type-Alien,Type-Ape": "1 2 3", "traits=Type-Ape,Hat-Cap": "2"},
        {"traits=Type-Alien,Type-Ape,Hat-Cap,Hat-Top": "1 2", "traits=Type-Alien,Type-Nope": "1"},
        {"traits=Type-Alien,Wings-Nope": "", "traits=type-Alien": ""},
    ],
    "F34: the readings that exist, within the contract if one is given, tell what is alternative to what": [
        *(nft("1", traits=[("Hi-Top", "Red")]), nft("2", traits=[("Hi", "Low")])),
        {"traits=Hi-Top-Red,Hi-Low": "", "traits=Hi-Top-Red": "1"},
        nft("3", ALICE, traits=[("Hi", "Top-Red")]),
        {"traits=Hi-Top-Red,Hi-Low": "1 2 3", f"traits=Hi-Top-Red,Hi-Low&{OF_APES}": ""},
    ],
    "alternatives go on from one entry to the next": [
        *(nft("1", traits=[("A", "x")]), nft("2", traits=[("A-B", "y")])),
        *(nft("3", traits=[("A", "B-c")]), nft("4", traits=[("A-B", "c")])),
        {"traits=A-x,A-B-c,A-B-y": "1 2 3 4", "traits=A-x,A-B-y": ""},
    ],
    "when no reading exists, all of them count": [
        nft("1", traits=[("A", "x")]),
        {"traits=A-x,A-B-none": "1", "traits=A-x,C-none": ""},
    ],
    "F32: type and value are of one and the same trait": [
        nft("1", traits=[("Background", "Red"), ("Eyes", "Blue")]),
        nft("2", traits=[("Background", "Blue"), ("Eyes", "Red")]),
        {"traits=Background-Blue": "2", "excludedTraits=Background-Blue": "1"},
    ],
    "F36: an entry is taken as written, and a number is found by JSON's text": [
        *(nft(str(place), traits=[("Level", value)]) for place, value in enumerate([5, 5.0, "5", "5.0", 50])),
        *(
            nft("5", traits=[("Level", 0.5)]),
            nft("6", traits=[("Level", True)]),
            nft("7", traits=[("Level", -1)]),
        ),
        nft("8", traits=[("Level", {"b": 1, "a": [True, "é"]})]),
        {
            "traits=Level-5": "0 1 2",
            "traits=Level-5.0": "3",
            "traits=Level-0.5": "5",
            "traits=Level-true": "6",
        },
        {"traits=Level--1": "7", 'traits="Level-{""a"":[true,""é""],""b"":1}"': "8"},
        {"traits=Level-5&excludedTraits=Level-5": ""},
    ],
    "F33: an entry that holds a comma is quoted as in CSV, and outer blanks count within quotes alone": [
        *(nft("1", traits=[("Mouth", "Bored, Pierced")]), nft("2", traits=[("Mouth", "Bored")])),
        *(nft("3", traits=[("Mouth", 'say "hi"')]), nft("4", traits=[("Mouth", "  spaced  ")])),
        nft("5", traits=[("Mouth", "Bored, Pierced"), ("Fur", "日本")]),
        {
            'traits="Mouth-Bored, Pierced",Fur-日本': "5",
            'traits="Mouth-say ""hi"""': "3",
            'traits=Mouth-say "hi"': "3",
        },
        {'traits="Mouth-Bored, Pierced"&traits= Mouth-Bored ': "1 2 5", 'traits="Mouth-  spaced  "': "4"},
    ],
    "an untyped trait has the empty type, and dashes need no escaping": [
        nft("1", metadata={"traits": [{"traitValue": "Gold"}]}),
        *(nft("2", traits=[("Skin", "Gold")]), nft("3", traits=[("A-", "-B-")])),
        {"traits=-Gold": "1", "traits=A---B-": "3"},
    ],
    "an NFT that has one type twice matches by either value, and comes once": [
        *(nft("1", traits=[("Accessory", "Mohawk"), ("Accessory", "Earring")]), nft("2")),
        {"traits=Accessory-Mohawk": "1", "traits=Accessory-Earring": "1"},
        {"traits=Accessory-Mohawk,Accessory-Earring": "1"},
    ],
    "excluded traits win over traits": [
        nft("1", traits=[("Fur", "Gold"), ("Hat", "Cap")]),
        *(nft("2", traits=[("Fur", "Gold")]), nft("3", traits=[("Fur", "Gold"), ("Eyes", "Laser")])),
        {
            "traits=Fur-Gold&excludedTraits=Hat-Cap,Eyes-Laser": "2",
            "traits=Fur-Gold&excludedTraits=Fur-Gold": "",
        },
        {"excludedTraits=Hat-Nope": "1 2 3"},
    ],
    "F40: traits follow the metadata, and go together with prices": [
        *(
            nft("1", traits=[("Fur", "Gold")]),
            nft("2", traits=[("Fur", "Gold")]),
            ask("1", price="3"),
            ask("2"),
        ),
        {"traits=Fur-Gold&priceFilter=eth,,2": "2", "traits=Fur-Gold&sortBy=lowestAsk": "2 1"},
        nft("1", traits=[("Fur", "Brown")]),
        {"traits=Fur-Gold": "2", "traits=Fur-Brown": "1"},
    ],
}
MARKETS_AND_PRICES: dict[str, Rule] = {
    "a marketplace counts for transfers, for live asks and where it is stated": [
        *(transfer("1", markets=["blur"]), ask("2", market="blur"), ask("3", market="blur", validUntil=NOW)),
        *(nft("4", markets=["Blur"]), ask("5", market="opensea")),
        {"marketplaces=Blur&sortBy=tokenId": "1 2 4", "marketplaces=blur,OPENSEA&sortBy=tokenId": "1 2 4 5"},
        {"marketplaces=nope": ""},
    ],
    "a marketplace narrows the asks that a price filter and an order by asks look at": [
        *(ask("1", market="opensea", price="1"), ask("1", market="blur", price="3")),
        *(ask("2", market="blur", price="2"), transfer("3", markets=["blur"])),
        {"marketplaces=blur&priceFilter=eth,,2": "2", "marketplaces=opensea&priceFilter=eth,,2": "1"},
        {"marketplaces=blur&sortBy=lowestAsk": "2 1 3", "sortBy=lowestAsk": "1 2 3"},
    ],
    "F28: the lowest ask decides, exactly, and bounds are inclusive": [
        *(
            ask("1", price="0.07"),
            ask("1", price="9"),
            ask("2", price="2"),
            ask("3", price="2.000000000000000001"),
        ),
        *(ask("4", price="4.35"), ask("5", price="0.070000000000000001"), nft("6")),
        {
            "priceFilter=ETH,0.07,0.07": "1",
            "priceFilter=eth,0.070000000000000001,2": "2 5",
            "priceFilter=eth,9,9": "",
            "priceFilter=eth,9,9&sortBy=lowestAsk": "",
        },
        {"priceFilter=eth,2,": "2 3 4", "priceFilter=eth,4.35,4.35": "4", "priceFilter=eth,,0.07": "1"},
        {"priceFilter=eth,,": "1 2 3 4 5", "priceFilter=eth,0.07,0.07&sortBy=highestAsk": "1"},
    ],
    "a wrapped native token counts as the native one, and not the other way; an alias is the same currency": [
        *(ask("1", currency="WETH"), ask("2", currency="ETH"), ask("3", currency="USDC", price="0")),
        *(ask("4", currency="MATIC", price="7"), ask("5", currency="pol", price="8")),
        {"priceFilter=eth,0,": "1 2", "priceFilter=weth,0,": "1", "priceFilter=usdc,,": "3"},
        {"priceFilter=matic,,": "4 5", "priceFilter=POL,7,7.5": "4"},
    ],
    "a currency that an ask or a rate brought is known": [
        *(ask("1", currency="doubloon"), rate("groat", "4")),
        {"priceFilter=DOUBLOON,1,1": "1", "priceFilter=groat,,": ""},
    ],
    "usd compares the value of the lowest ask of all currencies that have a rate": [
        *(rate("ETH", "2000"), rate("USDC", "1"), ask("1"), ask("1", currency="USDC", price="1500.5")),
        ask("2", currency="DOUBLOON"),
        {"priceFilter=usd,1500.5,1500.5": "1", "priceFilter=usd,1501,": "", "priceFilter=usd,,": "1"},
    ],
    "a price filter only selects, and the order looks at all currencies": [
        *(rate("ETH", "2000"), rate("USDC", "1"), ask("1", price="2"), ask("2")),
        ask("1", currency="USDC", price="100"),
        {"priceFilter=eth,1,2&sortBy=lowestAsk": "1 2", "priceFilter=eth,1,2&sortBy=highestAsk": "2 1"},
    ],
    "an ask is live within its time until it is settled for good": [
        *(ask("1"), ask("2", status="open"), ask("3", status="filled"), ask("4", status="cancelled")),
        *(
            ask("5", validFrom=NOW),
            ask("6", validFrom=NOW + 1),
            ask("7", validUntil=NOW + 1),
            ask("8", validUntil=NOW),
        ),
        *(ask("9", order="0xf1", status="filled"), ask("9", order="0xf1", status="open")),
        {"priceFilter=eth,,&sortBy=tokenId": "1 2 5 7", "marketplaces=opensea&sortBy=tokenId": "1 2 5 7"},
        {"priceFilter=eth,,&sortBy=lowestAsk": "1 2 5 7", "sortBy=highestAsk&tokenId=8,7,6,5": "5 7 6 8"},
    ],
    "an NFT has only its holders' asks, where maker and holders are known": [
        *(contract(), transfer("1", receiver=ALICE), ask("1", maker=BOB), ask("1", maker=ALICE, price="2")),
        *(
            contract(EDITIONS, standard="ERC1155"),
            transfer("2", EDITIONS, log=1),
            ask("2", EDITIONS, maker=BOB),
        ),
        *(ask("3", maker=BOB), transfer("4", log=2), ask("4")),
        {"priceFilter=eth,1,1&sortBy=tokenId": "3 4", "priceFilter=eth,2,2": "1"},
        transfer("1", block=2, sender=ALICE, receiver=BOB, timestamp=START + 99),
        {"priceFilter=eth,1,1&sortBy=tokenId": "1 3 4", "priceFilter=eth,2,2": ""},
    ],
}
RULES = CONTRACTS | TOKENS | TRAITS | MARKETS_AND_PRICES


@pytest.mark.parametrize("rule", RULES.values(), ids=RULES)
def test_rule(rule: Rule) -> None:
    check(rule)
