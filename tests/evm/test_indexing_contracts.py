"""Every kind of contract is indexed as what it is, whatever it says of itself."""

from collections.abc import Callable, Sequence
from typing import Any

import pytest

from indexing.contracts.profiles import first_block
from indexing.models import UndecodedLog
from indexing.node.source import Source
from indexing.write.checkpoints import EVERY
from tests.evm.chain import Chain, Deployed, topic, word
from tests.evm.indexing import Indexing, held
from tests.waiting import all_read, waits
from tokens.models import Contract, Nft
from transfers.models import Transfer

pytestmark = [pytest.mark.evm, pytest.mark.sqlite, pytest.mark.django_db]

MINT = "mint(address,uint256)"
MOVE = "transfer(address,uint256)"
NINE = "ipfs://QmWATWQ7fVPP2EFGu71UkfnqhYXDYH566qy47CnJDgvs8u/9"
Mode = Callable[[Deployed], str]


@pytest.fixture(params=["all contracts", "this contract"])
def mode(request: pytest.FixtureRequest) -> Mode:
    """What is indexed: everything, or the one contract that a test is about."""
    every: bool = request.param == "all contracts"
    return lambda contract: EVERY if every else contract.address


def described(contract: Deployed) -> tuple[str, str | None, str | None]:
    """Standard, name and symbol in the database."""
    row = Contract.objects.get(address=contract.address)
    return row.standard, row.name, row.symbol


def undecoded() -> list[tuple[str, str]]:
    return list(UndecodedLog.objects.order_by("block_number", "log_index").values_list("address", "reason"))


def test_a_range_is_as_many_nfts(chain: Chain, source: Source, mode: Mode) -> None:
    alice, bob = chain.accounts[:2]
    ranges = chain.deploy("Erc2309", alice, 50)
    ranges.send("transferRange(address,uint256,uint256)", bob, 10, 12)
    ranges.send("transferFrom(address,address,uint256)", alice, bob, 49)
    ranges.send("burn(uint256)", 0)
    Indexing(source, [mode(ranges)]).run()
    assert held() == {
        (ranges.address, token, ranges.call("ownerOf(uint256)", token)): 1 for token in range(1, 50)
    }
    assert described(ranges) == ("ERC721", "Consecutive", "CONS")
    assert undecoded() == []


def test_a_range_that_no_table_could_hold_is_kept_undecoded(chain: Chain, source: Source) -> None:
    ranges = chain.deploy("Erc2309", chain.accounts[0], 0)
    ranges.send("mintRange(address,uint256,uint256)", chain.accounts[0], 5, 2**255)
    ranges.send("mintRange(address,uint256,uint256)", chain.accounts[0], 1, 1)
    Indexing(source).run()
    assert held() == {(ranges.address, 1, chain.accounts[0]): 1}
    assert undecoded() == [(ranges.address, f"The range 5 to {2**255} is longer than 10000 tokens.")]


def test_a_punk_belongs_to_whose_bid_was_accepted(chain: Chain, source: Source, mode: Mode) -> None:
    """The event's buyer is zero: the real contract's defect."""
    alice, bob, carol, dave = chain.accounts[:4]
    punks = chain.deploy("Punks")
    for punk in (7, 8, 9):
        punks.send("setInitialOwner(address,uint256)", alice, punk)
    punks.send("transferPunk(address,uint256)", bob, 8)
    punks.send("offerPunkForSale(uint256,uint256)", 9, 500)
    punks.send("buyPunk(uint256)", 9, sender=2, value=600)
    punks.send("enterBidForPunk(uint256)", 7, sender=3, value=900)
    punks.send("acceptBidForPunk(uint256,uint256)", 7, 900)
    Indexing(source, [mode(punks)]).run()
    assert held() == {(punks.address, 7, dave): 1, (punks.address, 8, bob): 1, (punks.address, 9, carol): 1}
    assert described(punks) == ("CryptoPunks", "CRYPTOPUNKS", "Ͼ")
    assert Transfer.objects.count() == 6, "the Transfer beside each move is none of its own"
    last = Transfer.objects.order_by("recent_key").first()
    assert last is not None
    assert (last.from_address, last.to_address, last.transaction_from) == (alice, dave, alice)
    assert undecoded() == []


def test_an_nft_from_before_the_standard_is_found_by_its_behaviour(
    chain: Chain, source: Source, mode: Mode
) -> None:
    alice, bob = chain.accounts[:2]
    old = chain.deploy("OldNft")
    for token in (4, 5):
        old.send(MINT, alice, token)
    old.send(MOVE, bob, 4)
    Indexing(source, [mode(old)]).run()
    assert held() == {(old.address, 4, bob): 1, (old.address, 5, alice): 1}
    assert described(old) == ("ERC721", None, None)


def test_an_old_nft_is_found_though_its_first_token_is_burnt_by_now(chain: Chain, source: Source) -> None:
    """`ownerOf` then says 0; a contract of money would not answer at all."""
    alice = chain.accounts[0]
    old = chain.deploy("OldNft")
    old.send(MINT, alice, 4)
    old.send(MOVE, f"0x{0:040x}", 4)
    old.send(MINT, alice, 5)
    Indexing(source).run()
    assert held() == {(old.address, 5, alice): 1}


def test_logs_like_those_of_money_are_nfts_only_where_the_operator_says_so(
    chain: Chain, source: Source, mode: Mode
) -> None:
    alice, bob = chain.accounts[:2]
    old = chain.deploy("HalfIndexedNft")
    old.send(MINT, alice, 4)
    old.send(MOVE, bob, 4)
    wanted = mode(old)
    Indexing(source, [wanted]).run()
    assert held() == ({} if wanted == EVERY else {(old.address, 4, bob): 1})


@pytest.mark.parametrize("name", ["Erc20", "Erc20Liar"])
def test_money_is_no_nft(chain: Chain, source: Source, mode: Mode, name: str) -> None:
    """Not even what calls itself an ERC-721, named by an operator: its amounts would be token ids."""
    coin = chain.deploy(name)
    coin.send(MINT, chain.accounts[0], 10)
    coin.send(MOVE, chain.accounts[1], 3)
    Indexing(source, [mode(coin)]).run()
    assert not Nft.objects.exists()
    assert undecoded() == []


@pytest.mark.parametrize(
    ("name", "names"),
    [
        ("Reverting", (None, None)),
        ("GasBurner", (None, None)),
        ("Liar", (None, None)),
        ("BadUtf8", ("Ap\ufffd(es\ufffd\ufffd\ufffd", None)),
        ("Bytes32Names", ("Maker of old", "MKR\ufffd")),
        ("HugeName", (None, "HUGE")),
        ("BrokenNames", (None, None)),
    ],
)
def test_an_odd_contract_is_indexed_by_its_logs(
    chain: Chain, source: Source, mode: Mode, name: str, names: tuple[str | None, str | None]
) -> None:
    odd = chain.deploy(name)
    odd.send(MINT, chain.accounts[0], 1)
    Indexing(source, [mode(odd)]).run()
    assert held() == {(odd.address, 1, chain.accounts[0]): 1}
    assert described(odd) == ("ERC721", *names)


def test_logs_that_cannot_be_decoded_are_kept_with_the_reason_beside_those_that_can(
    chain: Chain, source: Source
) -> None:
    alice = chain.accounts[0]
    wrong, ones = chain.deploy("WrongBatch"), chain.deploy("Erc721", "Ones", "ONE")
    for number, function in enumerate(("unequal", "truncated", "endless", "astray", "empty")):
        wrong.submit(f"{function}(address)", alice)
        ones.submit(MINT, alice, number)
    chain.mine()
    Indexing(source).run()
    assert held() == {(ones.address, number, alice): 1 for number in range(5)}
    assert undecoded() == [
        (wrong.address, "TransferBatch names 2 tokens but 1 amounts."),
        (wrong.address, "The data is cut off: a list or text claims to be longer than what follows."),
        (wrong.address, "The data is cut off: a list or text claims to be longer than what follows."),
        (wrong.address, "The data points beyond its end."),
        (wrong.address, "The data ends after 0 bytes, before what should be in it."),
    ]


def test_a_contract_is_described_by_its_first_transfer_though_it_was_met_before(
    chain: Chain, source: Source
) -> None:
    many = chain.deploy("Erc1155")
    many.send("mintBatch(address,uint256[],uint256[])", chain.accounts[0], [], [])
    indexing = Indexing(source)
    indexing.run()
    many.send("mint(address,uint256,uint256)", chain.accounts[0], 1, 1)
    indexing.run(restart=False)
    assert described(many) == ("ERC1155", "Many", "MANY")


def test_a_contract_is_described_though_the_node_that_was_asked_did_not_know_it_yet(
    chain: Chain, source: Source, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Behind one URL there are many nodes, and some are a block behind."""
    ones = chain.deploy("Erc721", "Ones", "ONE")
    ones.send(MINT, chain.accounts[0], 1)
    ask = source.node.batch

    def behind(calls: Sequence[tuple[str, list[Any]]]) -> list[Any]:
        return ask([(name, [given[0], "0x0"] if name == "eth_call" else given) for name, given in calls])

    indexing = Indexing(source)
    with monkeypatch.context() as lagging:
        lagging.setattr(source.node, "batch", behind)
        indexing.run()
    assert described(ones) == ("ERC721", None, None)
    ones.send(MINT, chain.accounts[0], 2)
    indexing.run(restart=False)
    assert described(ones) == ("ERC721", "Ones", "ONE")


def test_a_contract_begins_with_the_block_that_made_it(chain: Chain, source: Source) -> None:
    chain.mine(7)
    ones = chain.deploy("Erc721", "Ones", "ONE")
    made = chain.head
    chain.mine(20)
    assert first_block(ones.address, chain.head, source.batch) == made == 8
    assert first_block(chain.accounts[0], chain.head, source.batch) == 0, "an account has no code at all"


def test_erc4906_has_the_metadata_read_again(chain: Chain, source: Source) -> None:
    ones = chain.deploy("Erc721", "Ones", "ONE")
    for token in (1, 2, 3, 2**256 - 1):
        ones.send(MINT, chain.accounts[0], token)
    indexing = Indexing(source)
    indexing.run()
    all_read()
    ones.send("setBaseURI(string,uint256,uint256)", "ipfs://x/", 2, 2)
    indexing.run()
    assert waits(ones.address) == {2}
    ones.send("setBaseURI(string,uint256,uint256)", "ipfs://y/", 0, 2)
    indexing.run()
    assert waits(ones.address) == {1, 2}
    ones.send("setBaseURI(string,uint256,uint256)", "ipfs://y/", 0, 2**256 - 1)
    indexing.run()
    assert waits(ones.address) == {1, 2, 3, 2**256 - 1}


def test_a_new_uri_has_the_metadata_read_again(chain: Chain, source: Source) -> None:
    many = chain.deploy("Erc1155")
    many.send("mintBatch(address,uint256[],uint256[])", chain.accounts[0], [8, 9], [1, 1])
    indexing = Indexing(source)
    indexing.run()
    all_read()
    many.send("setURI(uint256,string)", 9, NINE)
    many.send("setURI(uint256,string)", 10, "ipfs://nobody's")
    indexing.run()
    assert waits(many.address) == {9}
    assert Nft.objects.get(contract__address=many.address, token_key="019").uri == NINE


def test_any_number_of_tokens_may_change_their_metadata_at_once(chain: Chain, source: Source) -> None:
    """SQLite takes no expression that is deeper than 1,000."""
    raw, caller = chain.deploy("RawLogs"), chain.deploy("Multicaller")
    signature = "emitLog(bytes32[],bytes)"
    transfer = [topic("Transfer(address,address,uint256)"), word(0), word(chain.accounts[0])]
    updates = [topic("MetadataUpdate(uint256)")]

    def emit(topics: list[str], data: bytes) -> bytes:
        inputs: Any = ([bytes.fromhex(one[2:]) for one in topics], data)
        return bytes.fromhex(raw.data(signature, *inputs)[2:])

    minted = [emit([*transfer, word(token)], b"") for token in (0, 1, 2398)]
    updated = [emit(updates, (2 * number).to_bytes(32, "big")) for number in range(1_200)]
    indexing = Indexing(source)
    for calls in (minted, updated):
        for start in range(0, len(calls), 400):
            part = calls[start : start + 400]
            caller.submit("run(address[],bytes[])", [raw.address] * len(part), part)
        chain.mine()
        all_read()  # what was minted
        indexing.run()
    assert waits(raw.address) == {0, 2398}
