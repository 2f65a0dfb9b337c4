"""The events that say something about NFTs, by the hash of their signature (the first topic of a log).

Constants, so that reading needs no hashing; a test computes each of them again.
"""

from __future__ import annotations

# event Transfer(address from, address to, uint256 tokenId) — ERC-721, and with another meaning ERC-20
TRANSFER = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef"
# event ERC721Transfer(address indexed from, address indexed to, uint256 indexed id) — ERC-404 in its second version,
# ERC-7629; contracts that hold others' NFTs note with an event of this very form that they sent one
ERC721_TRANSFER = "0xe5f815dc84b8cecdfd4beedfc3f91ab5be7af100eca4e8fb11552b867995394f"
# event ERC20Transfer(address indexed from, address indexed to, uint256 amount) — ERC-404; moves no NFT, but says that
# its contract's other event does
ERC20_TRANSFER = "0xe59fdd36d0d223c0c7d996db7ad796880f45e1936cb0bb7ac102e7082e031487"
# event ConsecutiveTransfer(uint256 indexed fromTokenId, uint256 toTokenId, address indexed fromAddress,
#                           address indexed toAddress) — ERC-2309
CONSECUTIVE_TRANSFER = "0xdeaa91b6123d068f5821d0fb0678463d1a8a6079fe8af5de3ce5e896dcf9133d"
# event TransferSingle(address indexed operator, address indexed from, address indexed to, uint256 id,
#                      uint256 value) — ERC-1155
TRANSFER_SINGLE = "0xc3d58168c5ae7397731d063d5bbf3d657854427343f4c083240f7aacaa2d0f62"
# event TransferBatch(address indexed operator, address indexed from, address indexed to, uint256[] ids,
#                     uint256[] values) — ERC-1155
TRANSFER_BATCH = "0x4a39dc06d4c0dbc64b70af90fd698a233a518aa5d07e595d983b8c0526c8f7fb"
# event URI(string value, uint256 indexed id) — ERC-1155
URI = "0x6bb7ff708619ba0610cba295a58592e0451dee2622938c8755667688daf3529b"
# event MetadataUpdate(uint256 tokenId) — ERC-4906
METADATA_UPDATE = "0xf8e1a15aba9398e019f0b49df1a4fde98ee17ae345cb5f6b5e2c27f5033e8ce7"
# event BatchMetadataUpdate(uint256 fromTokenId, uint256 toTokenId) — ERC-4906
BATCH_METADATA_UPDATE = "0x6bd5c950a8d8df17f772f5af37cb3655737899cbf903264b9795592da439661c"
# event Assign(address indexed to, uint256 punkIndex) — CryptoPunks
ASSIGN = "0x8a0e37b73a0d9c82e205d4d1a3ff3d0b57ce5f4d7bccf6bac03336dc101cb7ba"
# event PunkTransfer(address indexed from, address indexed to, uint256 punkIndex) — CryptoPunks
PUNK_TRANSFER = "0x05af636b70da6819000c49f85b21fa82081c632069bb626f30932034099107d8"
# event PunkBought(uint256 indexed punkIndex, uint256 value, address indexed fromAddress,
#                  address indexed toAddress) — CryptoPunks
PUNK_BOUGHT = "0x58e5d5a525e3b40bc15abaa38b5882678db1ee68befd2f60bafe3a7fd06db9e3"
# event PunkBidEntered(uint256 indexed punkIndex, uint256 value, address indexed fromAddress) — CryptoPunks;
# moves nothing, but only it says what an accepted bid was worth
PUNK_BID_ENTERED = "0x5b859394fabae0c1ba88baffe67e751ab5248d2e879028b8c8d6897b0519f56a"

TOPICS = (
    TRANSFER,
    ERC721_TRANSFER,
    ERC20_TRANSFER,
    CONSECUTIVE_TRANSFER,
    TRANSFER_SINGLE,
    TRANSFER_BATCH,
    URI,
    METADATA_UPDATE,
    BATCH_METADATA_UPDATE,
    ASSIGN,
    PUNK_TRANSFER,
    PUNK_BOUGHT,
    PUNK_BID_ENTERED,
)
"""The first topics to ask a node for."""

PUNK_EVENTS = frozenset((ASSIGN, PUNK_TRANSFER, PUNK_BOUGHT))
"""Those of CryptoPunks that move one."""
