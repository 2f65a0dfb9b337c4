"""Records in which no field is left out."""

from __future__ import annotations

import json

from core.db.keys import token_key, uint_key
from tests.builders import ALICE, BOB, ZERO
from tests.operations.rows import BARE_NFT, BARE_TRANSFER, LINKS, decimal_key
from tokens.records.nft import Side, nft_record
from transfers.records.transfer import transfer_record

LEG = {
    "contractAddress": ZERO,
    "tokenId": "1",
    "fromAddress": ALICE,
    "toAddress": BOB,
    "amount": "5",
    "market": "blur",
}
FULL_TRANSFER = transfer_record(
    BARE_TRANSFER._replace(
        token_key=token_key("1"),
        from_address=ALICE,
        to_address=BOB,
        value=uint_key(1),
        nft_value_token=ZERO,
        nft_value_name="Ether",
        nft_value_amount=uint_key(1),
        swaps=json.dumps([LEG]),
        usd_value=decimal_key("2500.25"),
        eth_value=decimal_key("1.5"),
        is_commercial=True,
        markets='["opensea"]',
        native="{}",
        transfer_type="swap",
        image_path="a.png",
    ),
    LINKS,
)
OWNER = {
    "address": ALICE,
    "amount": "1",
    "enteredAtBlock": 1,
    "enteredAt": 1,
    "updatedAtBlock": 1,
    "updatedAt": 1,
}
METADATA = {
    "name": "n",
    "description": "d",
    "imageUrl": "u",
    "imageMediaType": "image/png",
    "mediaUrl": "u",
    "mediaType": "video/mp4",
    "traits": [{"traitType": "T", "traitValue": "v"}],
}
FULL_NFT = nft_record(
    BARE_NFT._replace(
        contract_standard="ERC1155",
        nft_count=3,
        uri="u",
        metadata=json.dumps(METADATA),
        native="1",
        rarity=1.5,
        rank=1.0,
        minter=ALICE,
        markets='["opensea"]',
        owners_total=101,
        original_path="o.png",
        preview_path="p.png",
        thumbnail_path="t.png",
    ),
    Side(
        owners=[OWNER],
        trait_counts={("T", "v"): 2},
        asks=["opensea,ETH,1"],
        last_transfer=FULL_TRANSFER,
    ),
    LINKS,
)
