"""Of the same identity the later line wins for the keys it holds, in a batch and across batches; null clears."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.builders import (
    ALICE,
    APES,
    BOB,
    CAROL,
    ZERO,
    ask,
    chain,
    contract,
    ens,
    load_lines,
    nft,
    rate,
    transfer,
)
from tests.files.lines import COLLECTION, MINT_A, MINT_B, OTHER_COLLECTION, derived, dumped, load
from tokens.models import (
    Ask,
    Chain,
    Contract,
    CurrencyToken,
    EnsName,
    Nft,
    NftRecent,
    NftTrait,
    Rate,
    StatedOwnership,
    TraitValue,
)
from transfers.models import Transfer

pytestmark = [pytest.mark.django_db, pytest.mark.parametrize("batch_lines", [1, 100])]


def test_the_later_line_wins_for_the_keys_it_holds(batch_lines: int) -> None:
    load(nft(uri="a", rank=1), nft(uri="b"), nft(rarity=2.5), batch_lines=batch_lines)
    row = Nft.objects.get()
    assert (row.uri, row.rank, row.rarity, row.rarity_key) == ("b", 1, 2.5, -2.5)


def test_null_clears_a_key(batch_lines: int) -> None:
    full = nft(
        uri="a", rank=1, rarity=1, native={"a": 1}, minter=ALICE, marked=True, owner=BOB, markets=["blur"]
    )
    keys = [name for name in full if name not in ("record", "chain", "contractAddress", "tokenId")]
    load(
        full, nft(traits=[("a", "b")]), {**nft(metadata=None), **dict.fromkeys(keys)}, batch_lines=batch_lines
    )
    assert [json.loads(line) for line in dumped().splitlines() if '"nft"' in line] == [nft()]
    assert TraitValue.objects.count() == NftTrait.objects.count() == StatedOwnership.objects.count() == 0


def test_metadata_is_replaced_whole(batch_lines: int) -> None:
    load(
        nft(metadata={"name": "a", "imageUrl": "ipfs://x"}, traits=[("A", "1"), ("B", "2")]),
        nft(metadata={"name": "b"}, traits=[("B", "2"), ("C", "3")]),
        batch_lines=batch_lines,
    )
    row = Nft.objects.get()
    assert json.loads(row.metadata or "")["name"] == "b"
    assert row.image is None
    assert sorted(TraitValue.objects.values_list("type", "value", "count")) == [("B", "2", 1), ("C", "3", 1)]


def test_owners_win_over_owner_and_are_replaced_whole(batch_lines: int) -> None:
    load(
        nft(owners=[{"address": ALICE, "amount": "2"}, {"address": BOB, "amount": "3", "enteredAt": 5}]),
        nft(owners=[{"address": CAROL, "amount": "4"}], owner=ALICE, asOfBlock=7),
        batch_lines=batch_lines,
    )
    stated = StatedOwnership.objects.get()
    assert json.loads(stated.owners) == [{"address": CAROL, "amount": "4"}]
    assert (stated.as_of_block, stated.pending) == (7, False)


def test_the_nobody_address_as_owner_means_that_nobody_holds_it(batch_lines: int) -> None:
    load(nft(owner=ZERO), batch_lines=batch_lines)
    assert StatedOwnership.objects.get().owners == "[]"
    assert NftRecent.objects.get().owners_total == 0


def test_an_ask_once_filled_or_cancelled_is_not_reopened(batch_lines: int) -> None:
    for status in ("filled", "cancelled"):
        line = ask(order=status)
        load(
            line,
            {**line, "status": status},
            {**line, "status": "open", "price": "2"},
            batch_lines=batch_lines,
        )
        assert Ask.objects.get(order_hash=status).status == status
        assert Ask.objects.get(order_hash=status).price == 2


def test_hashes_and_addresses_identify_in_any_letter_case(batch_lines: int) -> None:
    upper = {**transfer(), "contractAddress": APES.upper().replace("0X", "0x")}
    upper["transactionHash"] = upper["transactionHash"].upper().replace("0X", "0x")
    load(transfer(), upper, nft(), ask(order="0xAB"), ask(order="0xab"), batch_lines=batch_lines)
    assert [model.objects.count() for model in (Contract, Nft, Transfer, Ask)] == [1, 1, 1, 1]


def test_a_later_line_may_put_a_transfer_to_another_nft(batch_lines: int) -> None:
    load(transfer("1"), {**transfer("1"), "tokenId": "2"}, batch_lines=batch_lines)
    rows = dict(NftRecent.objects.values_list("nft__token_key", "last_transfer_id"))
    assert rows["011"] is None
    assert rows["012"] == Transfer.objects.get().id


def test_rates_and_names_are_replaced(batch_lines: int) -> None:
    load(
        rate(usd="1"),
        rate(usd="2.5"),
        ens("Vitalik.eth", ALICE),
        ens("vitalik.ETH", None),
        batch_lines=batch_lines,
    )
    assert str(Rate.objects.get().usd) == "2.5"
    assert list(EnsName.objects.values_list("name", "address")) == [("vitalik.eth", None)]


def test_a_chain_line_serves_the_lines_after_it(batch_lines: int) -> None:
    load(
        chain("mynet", chainId=12345, nativeCurrency="myc"),
        nft("1", on="mynet"),
        nft("2", on="12345"),
        nft("3", on="eip155:12345"),
        nft("4", on="MyNet"),
        chain("mynet", nativeCurrency="ETH"),
        chain("mintnet", kind="mint"),
        nft(MINT_A, None, on="mintnet"),
        batch_lines=batch_lines,
    )
    assert Nft.objects.filter(chain__slug="mynet").count() == 4
    assert Chain.objects.get(slug="mynet").native_currency == "ETH"
    assert CurrencyToken.objects.get(chain__slug="mynet").currency.symbol == "ETH"


@pytest.mark.parametrize("line", [nft("1"), transfer("1"), ask("1")], ids=["nft", "transfer", "ask"])
def test_any_line_creates_the_contract_and_the_nft_that_it_names(
    batch_lines: int, line: dict[str, Any]
) -> None:
    load(line, batch_lines=batch_lines)
    assert list(Contract.objects.values_list("address", "nft_count")) == [(APES, 1)]
    assert NftRecent.objects.get().nft.token_id == "1"


def test_nfts_are_numbered_in_the_order_in_which_lines_name_them(batch_lines: int) -> None:
    load(transfer("5"), nft("3"), ask("4"), nft("5"), contract(), transfer("1"), batch_lines=batch_lines)
    assert [row.token_id for row in Nft.objects.order_by("id")] == ["5", "3", "4", "1"]


def test_the_standard_that_an_nft_line_states_is_its_contracts(batch_lines: int) -> None:
    load(
        nft(contractStandard="ERC1155"),
        nft(MINT_A, COLLECTION, on="solana"),
        nft(MINT_A, None, on="solana", contractStandard="Metaplex"),
        nft(MINT_B, None, on="solana", contractStandard="Core"),
        batch_lines=batch_lines,
    )
    assert dict(Contract.objects.values_list("address", "standard")) == {
        APES: "ERC1155",
        COLLECTION: "Metaplex",
        "": "Core",
    }


def test_the_order_of_lines_of_different_identities_does_not_matter(batch_lines: int) -> None:
    lines = [
        contract(),
        nft("1", traits=[("A", "x")], owner=ALICE, asOfBlock=2),
        nft("2", marked=True, rarity=3, contractStandard="ERC721"),
        transfer("1", block=1),
        transfer("1", block=3, sender=ALICE, receiver=BOB, markets=["blur"], transferType="sale",
                 nftValue={"tokenAddress": ZERO, "amount": "1500000000000000000"}),
        transfer("2", block=2, receiver=CAROL, transactionFrom=BOB),
        ask("1", maker=BOB),
        ask("2", maker=ALICE),
        rate("ETH", "2000"),
        contract(marked=True),
    ]  # fmt: skip
    load(*lines, batch_lines=batch_lines)
    forwards = derived()
    for model in (Ask, Transfer, Nft, Contract, Rate):
        model.objects.all().delete()
    load(*reversed(lines), batch_lines=batch_lines)
    backwards = derived()
    for name, rows in forwards.items():
        assert backwards[name] == rows, name


def test_the_same_lines_twice_change_nothing(batch_lines: int) -> None:
    lines = [
        nft("1", traits=[("A", "x")], owner=ALICE, native=[1.0, "\ud800"]),
        transfer("1", block=1),
        transfer("1", block=3, sender=ALICE, receiver=BOB, markets=["blur"]),
        nft(
            "2",
            lastTransfer={k: v for k, v in transfer("2").items() if k not in ("logIndex", "record", "chain")},
        ),
        ask("1"),
        rate(),
    ]
    load(*lines, batch_lines=batch_lines)
    before = dumped(), derived()
    load(*lines, batch_lines=batch_lines)
    assert (dumped(), derived()) == before


def test_a_last_transfer_joins_the_one_of_its_transaction_wherever_that_line_stands(batch_lines: int) -> None:
    whole = transfer("1", log=34, markets=["blur"])
    embedded = {
        name: value for name, value in whole.items() if name not in ("record", "logIndex", "batchIndex")
    }
    load(nft("1", lastTransfer={**embedded, "value": "7"}), transfer("2"), whole, batch_lines=batch_lines)
    row = Transfer.objects.get(nft__token_key="011")
    assert (row.log_index, row.value, row.markets) == (34, 7, '["blur"]')


def test_a_last_transfer_alone_has_log_index_0_and_the_one_stated_counts(batch_lines: int) -> None:
    embedded = {name: value for name, value in transfer("1").items() if name not in ("record", "logIndex")}
    load(
        nft("1", lastTransfer=embedded),
        nft("2", lastTransfer={**transfer("2", block=2, log=9), "native": [1.50]}),
        batch_lines=batch_lines,
    )
    assert sorted(Transfer.objects.values_list("log_index", "native")) == [(0, None), (9, "[1.5]")]


def test_a_mint_may_change_its_collection_and_all_copies_follow(batch_lines: int) -> None:
    load(
        nft(MINT_A, COLLECTION, on="solana", traits=[("A", "x")]),
        nft(MINT_B, None, on="solana", traits=[("A", "x")]),
        transfer(MINT_A, None, on="solana", sender=MINT_B, receiver=MINT_A, markets=["magiceden"]),
        ask(MINT_A, None, on="solana", currency="SOL", maker=None),
        contract(OTHER_COLLECTION, on="solana", marked=True),
        batch_lines=batch_lines,
    )
    load(nft(MINT_A, OTHER_COLLECTION, on="solana"), batch_lines=batch_lines)
    other = Contract.objects.get(address=OTHER_COLLECTION)
    assert dict(Contract.objects.values_list("address", "nft_count")) == {
        COLLECTION: 0,
        OTHER_COLLECTION: 1,
        "": 1,
    }
    assert (
        list(TraitValue.objects.order_by("contract_id").values_list("contract__address", "count"))
        == [("", 1), (OTHER_COLLECTION, 1)]
        or TraitValue.objects.count() == 2
    )
    row = Nft.objects.get(contract=other)
    assert (row.marked, row.recent.marked, row.recent.contract) == (True, True, other)
    assert (
        {t.contract_id for t in Transfer.objects.all()}
        == {a.contract_id for a in Ask.objects.all()}
        == {other.pk}
    )
    load(nft(MINT_A, None, on="solana", contractAddress=None), batch_lines=batch_lines)
    assert Contract.objects.get(address="").nft_count == 2
    assert not Nft.objects.filter(marked=True).exists()


def test_a_standard_that_comes_late_makes_owners_anew(batch_lines: int) -> None:
    moves = [
        transfer("1", block=1, receiver=ALICE, amount="2"),
        transfer("1", block=2, sender=CAROL, receiver=BOB),
    ]
    load(contract(standard="ERC721"), *moves, batch_lines=batch_lines)
    expected = derived()["owners"]
    for model in (Transfer, Nft, Contract):
        model.objects.all().delete()
    load(*moves, contract(standard="ERC1155"), contract(standard="ERC721"), batch_lines=batch_lines)
    assert derived()["owners"] == expected


def test_usual_keys_of_other_tools_are_ignored(batch_lines: int) -> None:
    assert load_lines([{**nft(), "orderbook": 5, "imageCacheUrl": {}, "owners_count": "x"}]).fault_count == 0
