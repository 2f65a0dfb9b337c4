"""The odd contracts misbehave as they are named: what a well-meant look at a contract must live through."""

import pytest
from eth_abi.abi import decode
from eth_abi.exceptions import DecodingError

from tests.evm.chain import TRANSACTION_GAS, ZERO_ADDRESS, Chain, RpcError, namehash, topic, word
from tests.evm.standards import BATCH, NOBODY, TRANSFER, raw, supported, words

pytestmark = [pytest.mark.evm, pytest.mark.sqlite]  # no database has a part in it: one run is enough

NAME, SYMBOL, DECIMALS = "0x06fdde03", "0x95d89b41", "0x313ce567"
SUPPORTS_ERC721 = "0x01ffc9a7" + "80ac58cd" + "0" * 56
OWNER_OF_ONE = "0x6352211e" + f"{1:064x}"


@pytest.mark.parametrize(
    "name", ["Reverting", "GasBurner", "Liar", "BadUtf8", "Bytes32Names", "HugeName", "BrokenNames"]
)
def test_every_odd_contract_mints_as_an_erc721(chain: Chain, name: str) -> None:
    receipt = chain.deploy(name).send("mint(address,uint256)", chain.accounts[0], 1)
    assert raw(receipt) == [([TRANSFER, NOBODY, word(chain.accounts[0]), word(1)], "0x")]


def test_reverting_reverts_whatever_is_asked(chain: Chain) -> None:
    odd = chain.deploy("Reverting")
    for data in (NAME, SYMBOL, SUPPORTS_ERC721, OWNER_OF_ONE):
        with pytest.raises(RpcError, match="nothing to see here"):
            odd.view(data)


@pytest.mark.parametrize("data", [NAME, SYMBOL, SUPPORTS_ERC721])
def test_gas_burner_burns_all_that_it_is_given(chain: Chain, data: str) -> None:
    odd = chain.deploy("GasBurner")
    with pytest.raises(RpcError):
        odd.view(data, gas=hex(TRANSACTION_GAS))
    sent = chain.submit({"to": odd.address, "data": data})
    chain.mine()
    receipt = chain.receipt(sent)
    assert (receipt["status"], int(receipt["gasUsed"], 16)) == ("0x0", TRANSACTION_GAS)


def test_liar_supports_even_what_nobody_may(chain: Chain) -> None:
    liar = chain.deploy("Liar")
    assert supported(liar) == [True] * 5
    with pytest.raises(RpcError):
        liar.view(OWNER_OF_ONE)


def test_an_erc20_shares_the_topic_and_lies_about_its_standard(chain: Chain) -> None:
    honest, liar = chain.deploy("Erc20"), chain.deploy("Erc20Liar")
    alice, bob = chain.accounts[:2]
    for coin in (honest, liar):
        coin.send("mint(address,uint256)", alice, 10)
        assert raw(coin.send("transfer(address,uint256)", bob, 3)) == [
            ([TRANSFER, word(alice), word(bob)], words(3))
        ]
        assert int.from_bytes(coin.view(DECIMALS)) == 18
    assert supported(liar) == [True, True, False, False, False]
    with pytest.raises(RpcError):
        honest.view(SUPPORTS_ERC721)


def test_bad_names_are_no_utf8(chain: Chain) -> None:
    odd = chain.deploy("BadUtf8")
    for data, meant in ((NAME, b"Ap\xc3(es\xff\x00\xfe"), (SYMBOL, b"\xed\xa0\x80")):
        assert decode(["bytes"], odd.view(data)) == (meant,)
        with pytest.raises(UnicodeDecodeError):
            decode(["string"], odd.view(data))


def test_old_names_are_32_bytes(chain: Chain) -> None:
    odd = chain.deploy("Bytes32Names")
    assert odd.view(NAME) == b"Maker of old".ljust(32, b"\0")
    assert odd.view(SYMBOL) == b"MKR\xff".ljust(32, b"\0")


def test_a_huge_name_is_a_megabyte(chain: Chain) -> None:
    odd = chain.deploy("HugeName")
    assert odd.call("name()") == "A" * 2**20


def test_broken_names_point_outside_of_the_answer(chain: Chain) -> None:
    odd = chain.deploy("BrokenNames")
    for data in (NAME, SYMBOL):
        with pytest.raises((DecodingError, OverflowError)):
            decode(["string"], odd.view(data))


def test_an_old_nft_indexes_nothing(chain: Chain) -> None:
    alice, bob = chain.accounts[:2]
    old = chain.deploy("OldNft")
    assert raw(old.send("mint(address,uint256)", alice, 4)) == [([TRANSFER], words(0, alice, 4))]
    assert raw(old.send("transfer(address,uint256)", bob, 4)) == [([TRANSFER], words(alice, bob, 4))]
    assert (old.call("ownerOf(uint256)", 4), old.call("balanceOf(address)", alice)) == (bob, 0)
    with pytest.raises(RpcError):
        old.view(SUPPORTS_ERC721)


def test_a_half_indexed_nft_logs_as_an_erc20_does(chain: Chain) -> None:
    alice, bob = chain.accounts[:2]
    old = chain.deploy("HalfIndexedNft")
    old.send("mint(address,uint256)", alice, 4)
    assert raw(old.send("transfer(address,uint256)", bob, 4)) == [
        ([TRANSFER, word(alice), word(bob)], words(4))
    ]
    assert old.call("ownerOf(uint256)", 4) == bob


@pytest.mark.parametrize(
    ("function", "data"),
    [
        ("unequal", words(0x40, 0xA0, 2, 1, 2, 1, 3)),
        ("truncated", words(0x40, 0x80, 1, 1, 1) + "00" * 16),
        ("endless", words(0x40, 0x40, 2**256 - 1)),
        ("astray", words(2**256 - 1, 2**255)),
        ("empty", "0x"),
    ],
)
def test_a_wrong_batch_has_a_right_head_and_wrong_data(chain: Chain, function: str, data: str) -> None:
    alice, bob = chain.accounts[:2]
    wrong = chain.deploy("WrongBatch")
    assert supported(wrong) == [True, False, True, False, False]
    receipt = wrong.send(f"{function}(address)", bob)
    assert raw(receipt) == [([BATCH, word(alice), NOBODY, word(bob)], data)]


@pytest.mark.parametrize("count", range(5))
def test_any_log_can_be_emitted(chain: Chain, count: int) -> None:
    topics = [bytes([number + 1]) * 32 for number in range(count)]
    receipt = chain.deploy("RawLogs").send("emitLog(bytes32[],bytes)", topics, b"\x01\x02\x03")
    assert raw(receipt) == [(["0x" + value.hex() for value in topics], "0x010203")]


def test_ens_names_resolve_through_the_registry(chain: Chain) -> None:
    registry = chain.place("EnsRegistry", "0x00000000000C2E074eC69A0dFb2997BA6C7d2e1e")
    resolver = chain.deploy("EnsResolver")
    node = namehash("apes.eth")
    assert registry.call("resolver(bytes32)", node) == ZERO_ADDRESS
    registry.send("setResolver(bytes32,address)", node, resolver.address)
    assert registry.call("resolver(bytes32)", node) == resolver.address
    assert resolver.call("addr(bytes32)", node) == ZERO_ADDRESS, "a name without an address"
    resolver.send("setAddr(bytes32,address)", node, chain.accounts[4])
    assert resolver.call("addr(bytes32)", node) == chain.accounts[4]


def test_an_offchain_resolver_asks_for_a_server(chain: Chain) -> None:
    """EIP-3668: OffchainLookup carries the sender, the URLs, and what to ask."""
    resolver = chain.deploy("OffchainResolver")
    node = namehash("apes.eth")
    asked = resolver.data("addr(bytes32)", node)
    with pytest.raises(RpcError) as refused:
        resolver.view(asked)
    selector = topic("OffchainLookup(address,string[],bytes,bytes4,bytes)")[:10]
    assert selector == "0x556f1830"
    assert refused.value.data.startswith(selector)
    fields = decode(
        ["address", "string[]", "bytes", "bytes4", "bytes"], bytes.fromhex(refused.value.data[10:])
    )
    urls = ("https://gateway.example.org/{sender}/{data}.json",)
    assert fields[:3] == (resolver.address, urls, bytes.fromhex(asked[2:]))


def test_an_endless_resolver_never_answers(chain: Chain) -> None:
    resolver = chain.deploy("EndlessResolver")
    with pytest.raises(RpcError):
        resolver.view(resolver.data("addr(bytes32)", namehash("apes.eth")))
