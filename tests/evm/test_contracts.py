"""The standard contracts do what their standards say: owners, amounts, and the very logs that an indexer reads."""

import pytest

from tests.evm.chain import ZERO_ADDRESS, Chain, Deployed, RpcError, topic, word
from tests.evm.standards import BATCH, NOBODY, TRANSFER, raw, supported, words

pytestmark = [pytest.mark.evm, pytest.mark.sqlite]  # no database has a part in it: one run is enough

SINGLE = topic("TransferSingle(address,address,address,uint256,uint256)")


def test_an_erc721_lives_from_mint_to_burn_and_again(chain: Chain) -> None:
    alice, bob = chain.accounts[:2]
    ones = chain.deploy("Erc721", "Ones", "ONE")
    assert raw(ones.send("mint(address,uint256)", alice, 5)) == [
        ([TRANSFER, NOBODY, word(alice), word(5)], "0x")
    ]
    moved = ones.send("transferFrom(address,address,uint256)", alice, bob, 5)
    assert raw(moved) == [([TRANSFER, word(alice), word(bob), word(5)], "0x")]
    assert (ones.call("ownerOf(uint256)", 5), ones.call("balanceOf(address)", bob)) == (bob, 1)
    with pytest.raises(RpcError, match="not allowed"):
        ones.send("burn(uint256)", 5, sender=0)
    assert raw(ones.send("burn(uint256)", 5, sender=1)) == [([TRANSFER, word(bob), NOBODY, word(5)], "0x")]
    with pytest.raises(RpcError, match="minted before"):
        ones.send("mint(address,uint256)", alice, 5)
    ones.send("remint(address,uint256)", alice, 5)
    assert ones.call("ownerOf(uint256)", 5) == alice
    with pytest.raises(RpcError, match="never burned"):
        ones.send("remint(address,uint256)", alice, 6)


def test_an_erc721_to_oneself_leaves_one(chain: Chain) -> None:
    alice = chain.accounts[0]
    ones = chain.deploy("Erc721", "Ones", "ONE")
    ones.send("mint(address,uint256)", alice, 5)
    assert len(ones.send("transferFrom(address,address,uint256)", alice, alice, 5)["logs"]) == 1
    assert ones.call("balanceOf(address)", alice) == 1


def test_an_erc721_is_safe_towards_contracts_that_do_not_answer(chain: Chain) -> None:
    alice, bob = chain.accounts[:2]
    ones = chain.deploy("Erc721", "Ones", "ONE")
    ones.send("mint(address,uint256)", alice, 5)
    with pytest.raises(RpcError, match="refused by the receiver"):
        ones.send("safeTransferFrom(address,address,uint256)", alice, ones.address, 5)
    ones.send("safeTransferFrom(address,address,uint256)", alice, bob, 5)
    assert ones.call("ownerOf(uint256)", 5) == bob


def test_an_erc721_describes_itself_and_its_tokens(chain: Chain) -> None:
    ones = chain.deploy("Erc721", "Ones Ω", "ONE")
    top = 2**256 - 1
    ones.send("mint(address,uint256)", chain.accounts[0], top)
    assert supported(ones) == [True, True, False, True, False]
    assert (ones.call("name()"), ones.call("symbol()")) == ("Ones Ω", "ONE")
    assert ones.call("tokenURI(uint256)", top) == f"https://example.org/erc721/{top}"
    assert raw(ones.send("setBaseURI(string,uint256,uint256)", "ipfs://x/", 4, 4)) == [
        ([topic("MetadataUpdate(uint256)")], words(4))
    ]
    assert raw(ones.send("setBaseURI(string,uint256,uint256)", "ipfs://y/", 0, top)) == [
        ([topic("BatchMetadataUpdate(uint256,uint256)")], words(0, top))
    ]
    assert ones.call("tokenURI(uint256)", top) == f"ipfs://y/{top}"


def test_an_erc1155_moves_amounts(chain: Chain) -> None:
    alice, bob = chain.accounts[:2]
    many = chain.deploy("Erc1155")
    assert supported(many) == [True, False, True, False, False]
    assert raw(many.send("mint(address,uint256,uint256)", alice, 3, 10, sender=2)) == [
        ([SINGLE, word(chain.accounts[2]), NOBODY, word(alice)], words(3, 10))
    ]
    move = "safeTransferFrom(address,address,uint256,uint256,bytes)"
    assert raw(many.send(move, alice, bob, 3, 4, b"")) == [
        ([SINGLE, word(alice), word(alice), word(bob)], words(3, 4))
    ]
    many.send(move, alice, alice, 3, 6, b"")
    assert raw(many.send("burn(address,uint256,uint256)", alice, 3, 1)) == [
        ([SINGLE, word(alice), word(alice), NOBODY], words(3, 1))
    ]
    assert [many.call("balanceOf(address,uint256)", holder, 3) for holder in (alice, bob)] == [5, 4]
    with pytest.raises(RpcError, match="underflow"):
        many.send(move, alice, bob, 3, 6, b"")
    with pytest.raises(RpcError, match="not allowed"):
        many.send(move, alice, bob, 3, 1, b"", sender=1)


def test_an_erc1155_batch_repeats_ids_and_moves_nothing_of_others(chain: Chain) -> None:
    alice, bob = chain.accounts[:2]
    many = chain.deploy("Erc1155")
    minted = many.send("mintBatch(address,uint256[],uint256[])", alice, [1, 1, 2], [5, 6, 0])
    assert raw(minted) == [
        ([BATCH, word(alice), NOBODY, word(alice)], words(0x40, 0xC0, 3, 1, 1, 2, 3, 5, 6, 0))
    ]
    move = "safeBatchTransferFrom(address,address,uint256[],uint256[],bytes)"
    many.send(move, alice, bob, [1, 2, 1], [1, 0, 2], b"")
    assert raw(many.send(move, alice, bob, [], [], b"")) == [
        ([BATCH, word(alice), word(alice), word(bob)], words(0x40, 0x60, 0, 0))
    ]
    with pytest.raises(RpcError, match="unequal lengths"):
        many.send(move, alice, bob, [1], [], b"")
    many.send("burnBatch(address,uint256[],uint256[])", bob, [1, 1], [1, 1], sender=1)
    held = many.call("balanceOfBatch(address[],uint256[])", [alice, bob, bob], [1, 1, 2])
    assert list(held) == [8, 1, 0]


def test_an_erc1155_tells_of_a_new_uri(chain: Chain) -> None:
    many = chain.deploy("Erc1155")
    ((topics, _),) = raw(many.send("setURI(uint256,string)", 9, "ipfs://nine"))
    assert topics == [topic("URI(string,uint256)"), word(9)]
    assert many.call("uri(uint256)", 9) == "ipfs://nine"


def test_erc2309_mints_a_range_with_one_log(chain: Chain) -> None:
    alice, bob = chain.accounts[:2]
    consecutive = topic("ConsecutiveTransfer(uint256,uint256,address,address)")
    ranges = chain.deploy("Erc2309", alice, 5000)
    (log,) = chain.logs()
    assert log["topics"] == [consecutive, word(0), NOBODY, word(alice)]
    assert log["data"] == words(4999)
    huge = 2**255
    ranges.send("mintRange(address,uint256,uint256)", bob, 10_000, huge)
    moved = ranges.send("transferRange(address,uint256,uint256)", bob, 10, 12)
    assert raw(moved) == [([consecutive, word(10), word(alice), word(bob)], words(12))]
    ranges.send("transferFrom(address,address,uint256)", alice, bob, 4999)
    ranges.send("burn(uint256)", 0)
    owners = [ranges.call("ownerOf(uint256)", token) for token in (9, 10, 12, 13, 4999, huge)]
    assert owners == [alice, bob, bob, alice, bob, bob]
    assert ranges.call("balanceOf(address)", alice) == 5000 - 3 - 1 - 1
    for nobodys in (0, 5000, huge + 1):
        with pytest.raises(RpcError, match="no such token"):
            ranges.call("ownerOf(uint256)", nobodys)


@pytest.fixture
def punks(chain: Chain) -> Deployed:
    """Punk 7 is account 0's."""
    deployed = chain.deploy("Punks")
    assigned = deployed.send("setInitialOwner(address,uint256)", chain.accounts[0], 7)
    assert raw(assigned) == [([topic("Assign(address,uint256)"), word(chain.accounts[0])], words(7))]
    return deployed


def test_a_punk_moves_beside_a_transfer_of_erc20s_shape(chain: Chain, punks: Deployed) -> None:
    alice, bob = (word(account) for account in chain.accounts[:2])
    assert raw(punks.send("transferPunk(address,uint256)", chain.accounts[1], 7)) == [
        ([TRANSFER, alice, bob], words(1)),
        ([topic("PunkTransfer(address,address,uint256)"), alice, bob], words(7)),
    ]
    assert punks.call("punkIndexToAddress(uint256)", 7) == chain.accounts[1]
    with pytest.raises(RpcError):
        punks.view("0x01ffc9a7" + "80ac58cd" + "0" * 56)


def test_a_punk_is_bought_at_its_price(chain: Chain, punks: Deployed) -> None:
    alice, bob = (word(account) for account in chain.accounts[:2])
    punks.send("offerPunkForSale(uint256,uint256)", 7, 500)
    assert raw(punks.send("buyPunk(uint256)", 7, sender=1, value=600)) == [
        ([TRANSFER, alice, bob], words(1)),
        ([topic("PunkNoLongerForSale(uint256)"), word(7)], "0x"),
        ([topic("PunkBought(uint256,uint256,address,address)"), word(7), alice, bob], words(600)),
    ]


def test_an_accepted_bid_names_neither_value_nor_buyer(chain: Chain, punks: Deployed) -> None:
    """Both are zero in PunkBought; the buyer is in the Transfer beside it, the value in the bid before."""
    alice, bob = (word(account) for account in chain.accounts[:2])
    assert raw(punks.send("enterBidForPunk(uint256)", 7, sender=1, value=900)) == [
        ([topic("PunkBidEntered(uint256,uint256,address)"), word(7), bob], words(900))
    ]
    assert raw(punks.send("acceptBidForPunk(uint256,uint256)", 7, 900)) == [
        ([TRANSFER, alice, bob], words(1)),
        ([topic("PunkBought(uint256,uint256,address,address)"), word(7), alice, NOBODY], words(0)),
    ]
    bid = "punkBids(uint256)"
    assert punks.call(bid, 7, block=chain.head - 1) == (True, 7, chain.accounts[1], 900)
    assert punks.call(bid, 7) == (False, 7, ZERO_ADDRESS, 0)
    assert punks.call("punkIndexToAddress(uint256)", 7) == chain.accounts[1]


def test_many_calls_are_one_transaction_or_none(chain: Chain) -> None:
    alice = chain.accounts[0]
    ones, many = chain.deploy("Erc721", "Ones", "ONE"), chain.deploy("Erc1155")
    caller = chain.deploy("Multicaller")
    mint = bytes.fromhex(ones.data("mint(address,uint256)", alice, 1)[2:])
    more = bytes.fromhex(many.data("mint(address,uint256,uint256)", alice, 1, 2)[2:])
    run = "run(address[],bytes[])"
    receipt = caller.send(run, [ones.address, many.address, many.address], [mint, more, more])
    assert [log["topics"][0] for log in receipt["logs"]] == [TRANSFER, SINGLE, SINGLE]
    assert receipt["logs"][1]["topics"][1] == word(caller.address), "the operator"
    with pytest.raises(RpcError, match="minted before"):
        caller.send(run, [many.address, ones.address], [more, mint])
    assert many.call("balanceOf(address,uint256)", alice, 1) == 4
