"""Random lives of an ERC-721 and an ERC-1155 on a chain, and what the chain says that everybody holds at a block.

`actions()` describes, `perform` does (what is impossible at that moment is left out), `balances` asks the contracts:
the answer that an indexer's database has to equal.
"""

import copy
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, Literal

from hypothesis import strategies as st

from tests.evm.chain import ZERO_ADDRESS, Chain, Deployed

Kind = Literal["mint", "transfer", "burn"]
Holding = tuple[str, int, str]
"""Contract, token id, account."""

HOLDERS = 4
TOKENS = 5
SINGLE_MINT = "mint(address,uint256,uint256)"
SINGLE_TRANSFER = "safeTransferFrom(address,address,uint256,uint256,bytes)"
SINGLE_BURN = "burn(address,uint256,uint256)"
BATCH_MINT = "mintBatch(address,uint256[],uint256[])"
BATCH_TRANSFER = "safeBatchTransferFrom(address,address,uint256[],uint256[],bytes)"
BATCH_BURN = "burnBatch(address,uint256[],uint256[])"


@dataclass(frozen=True)
class Move721:
    """Mint, or mint again after a burn; transfer from whoever holds the token, or burn it. `to` indexes the holders."""

    kind: Kind
    token: int
    to: int


@dataclass(frozen=True)
class Move1155:
    """Amounts of ids, as (id, amount): one part is a TransferSingle, others are a TransferBatch, ids repeated or none.

    `holder` gives, or mints; `to` receives, but for a burn. Both may be the same.
    """

    kind: Kind
    holder: int
    to: int
    parts: tuple[tuple[int, int], ...]


Move = Move721 | Move1155


@dataclass(frozen=True)
class Block:
    """Several moves in one block: a transaction each, or all in one transaction by the multicaller."""

    moves: tuple[Move, ...]
    one_transaction: bool = False


@dataclass(frozen=True)
class Undo:
    """A reorganisation: the newest `depth` blocks are replaced by empty ones, or taken away until others follow."""

    depth: int
    refill: bool


Action = Block | Undo


@dataclass
class State:
    """Who holds what, by index of the holder; it says which moves are possible."""

    owners: dict[int, int] = field(default_factory=dict)
    burned: set[int] = field(default_factory=set)
    amounts: Counter[tuple[int, int]] = field(default_factory=Counter)

    def take(self, move: Move) -> bool:
        """Apply the move; False, and nothing changed, where it is impossible."""
        return self.take_721(move) if isinstance(move, Move721) else self.take_1155(move)

    def take_721(self, move: Move721) -> bool:
        """One token's move."""
        if (move.kind == "mint") == (move.token in self.owners):
            return False
        if move.kind == "burn":
            del self.owners[move.token]
            self.burned.add(move.token)
        else:
            self.owners[move.token] = move.to
            self.burned.discard(move.token)
        return True

    def take_1155(self, move: Move1155) -> bool:
        """All parts of a move, or none."""
        if move.kind != "mint":
            needed: Counter[int] = Counter()
            for token, amount in move.parts:
                needed[token] += amount
            if any(self.amounts[token, move.holder] < amount for token, amount in needed.items()):
                return False
        for token, amount in move.parts:
            if move.kind != "mint":
                self.amounts[token, move.holder] -= amount
            if move.kind != "burn":
                self.amounts[token, move.to] += amount
        return True


@dataclass
class World:
    """The contracts, the accounts that hold, and the state after each block (`states[n]` after block `first` + n)."""

    chain: Chain
    erc721: Deployed
    erc1155: Deployed
    multicaller: Deployed
    holders: list[str]
    first: int
    states: list[State]

    @classmethod
    def on(cls, chain: Chain) -> "World":
        """Deploy the contracts; every holder lets the multicaller move what is theirs."""
        erc721, erc1155 = chain.deploy("Erc721", "Ones", "ONE"), chain.deploy("Erc1155")
        multicaller = chain.deploy("Multicaller")
        for holder in range(HOLDERS):
            for contract in (erc721, erc1155):
                contract.submit("setApprovalForAll(address,bool)", multicaller.address, True, sender=holder)
        first = chain.mine()
        return cls(chain, erc721, erc1155, multicaller, chain.accounts[:HOLDERS], first, [State()])

    def expected(self, block: int) -> dict[Holding, int]:
        """What `balances` has to answer by our own account of the moves."""
        state = self.states[block - self.first]
        ones = {(self.erc721.address, token, self.holders[at]): 1 for token, at in state.owners.items()}
        many = {
            (self.erc1155.address, token, self.holders[at]): amount
            for (token, at), amount in state.amounts.items()
            if amount
        }
        return ones | many


def perform(world: World, actions: Iterable[Action]) -> None:
    """Do the actions, a block each; moves that are impossible are left out, and no block before `world` is undone."""
    for action in actions:
        if isinstance(action, Block):
            perform_block(world, action)
        else:
            undo(world, action)


def perform_block(world: World, block: Block) -> None:
    """Mine the block's possible moves; an empty block when there are none."""
    state = copy.deepcopy(world.states[-1])
    calls = []
    for move in block.moves:
        sender = sender_of(state, move)
        call = call_of(world, state, move, sender)
        if state.take(move):
            calls.append((sender, *call))
    if block.one_transaction and calls:
        targets = [contract.address for _, contract, _, _ in calls]
        data = [bytes.fromhex(contract.data(signature, *args)[2:]) for _, contract, signature, args in calls]
        sent = [world.multicaller.submit("run(address[],bytes[])", targets, data)]
    else:
        sent = [
            contract.submit(signature, *args, sender=sender) for sender, contract, signature, args in calls
        ]
    world.chain.mine()
    world.states.append(state)
    assert all(world.chain.receipt(hash_)["status"] == "0x1" for hash_ in sent), block


def sender_of(state: State, move: Move) -> int:
    """Index of the account that has to send the move; anybody may mint."""
    if isinstance(move, Move1155):
        return move.holder
    return state.owners.get(move.token, move.to)


def call_of(world: World, state: State, move: Move, sender: int) -> tuple[Deployed, str, tuple[Any, ...]]:
    """The contract's function and arguments for a move."""
    source, target = world.holders[sender], world.holders[move.to]
    if isinstance(move, Move721):
        if move.kind == "burn":
            return world.erc721, "burn(uint256)", (move.token,)
        if move.kind == "transfer":
            return world.erc721, "transferFrom(address,address,uint256)", (source, target, move.token)
        mint = "remint" if move.token in state.burned else "mint"
        return world.erc721, f"{mint}(address,uint256)", (target, move.token)
    return world.erc1155, *call_of_1155(move, source, target)


def call_of_1155(move: Move1155, source: str, target: str) -> tuple[str, tuple[Any, ...]]:
    """Signature and arguments on the ERC-1155."""
    accounts = {"mint": (target,), "transfer": (source, target), "burn": (source,)}[move.kind]
    data = (b"",) if move.kind == "transfer" else ()
    if len(move.parts) == 1:
        single = {"mint": SINGLE_MINT, "transfer": SINGLE_TRANSFER, "burn": SINGLE_BURN}[move.kind]
        return single, (*accounts, *move.parts[0], *data)
    batch = {"mint": BATCH_MINT, "transfer": BATCH_TRANSFER, "burn": BATCH_BURN}[move.kind]
    ids, amounts = [token for token, _ in move.parts], [amount for _, amount in move.parts]
    return batch, (*accounts, ids, amounts, *data)


def undo(world: World, action: Undo) -> None:
    """Undo as many blocks as asked for, or as there are since the world was made."""
    depth = min(action.depth, len(world.states) - 1)
    if depth == 0:
        return
    kept = world.states[:-depth]
    if action.refill:
        world.chain.reorg(depth)
        world.states = [*kept, *(kept[-1] for _ in range(depth))]
    else:
        world.chain.rollback(depth)
        world.states = kept


def balances(world: World, block: int) -> dict[Holding, int]:
    """Amounts above zero at a block, by `ownerOf` and `balanceOf` of every token and holder that there can be."""
    pairs = [(token, holder) for token in range(TOKENS) for holder in world.holders]
    at = hex(block)
    calls = [
        ("eth_call", [{"to": world.erc721.address, "data": world.erc721.data("ownerOf(uint256)", token)}, at])
        for token in range(TOKENS)
    ]
    amounts = world.erc1155.call(
        "balanceOfBatch(address[],uint256[])",
        [holder for _, holder in pairs],
        [token for token, _ in pairs],
        block=block,
    )
    found = {
        (world.erc1155.address, *pair): amount for pair, amount in zip(pairs, amounts, strict=True) if amount
    }
    for token, answer in enumerate(world.chain.batch(calls, or_none=True)):
        owner = ZERO_ADDRESS if answer is None else "0x" + answer[-40:]  # it reverts for what nobody owns
        if owner != ZERO_ADDRESS:
            found[world.erc721.address, token, owner] = 1
    return found


KINDS: st.SearchStrategy[Kind] = st.sampled_from(["mint", "transfer", "transfer", "burn"])
INDICES = st.integers(0, HOLDERS - 1)
IDS = st.integers(0, TOKENS - 1)
AMOUNTS = st.one_of(st.integers(0, 3), st.just(10**30))
PARTS = st.one_of(
    st.tuples(st.tuples(IDS, AMOUNTS)), st.lists(st.tuples(IDS, AMOUNTS), max_size=4).map(tuple)
)


def moves() -> st.SearchStrategy[Move]:
    """One move of either contract."""
    return st.one_of(
        st.builds(Move721, KINDS, IDS, INDICES), st.builds(Move1155, KINDS, INDICES, INDICES, PARTS)
    )


def actions(max_size: int = 12) -> st.SearchStrategy[list[Action]]:
    """Blocks of up to four moves, with a reorganisation of up to four blocks now and then."""
    blocks = st.builds(Block, st.lists(moves(), max_size=4).map(tuple), st.booleans())
    undone = st.builds(Undo, st.integers(1, 4), st.booleans())
    return st.lists(st.one_of(blocks, blocks, blocks, undone), max_size=max_size)
