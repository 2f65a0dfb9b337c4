"""The known contracts of markets, by EIP-155 chain id. All addresses are in lower case.

What is deployed at one address on every chain (Seaport, by CREATE2) is listed once. An operator adds more in the admin.
"""

from __future__ import annotations

from collections.abc import Iterator

_ETHEREUM, _OPTIMISM, _BSC, _GNOSIS, _POLYGON = 1, 10, 56, 100, 137
_BASE, _ARBITRUM, _AVALANCHE, _BLAST, _ZORA = 8453, 42161, 43114, 81457, 7777777

EVERYWHERE: dict[str, tuple[str, str]] = {
    "0x00000000006c3852cbef3e08e8df289169ede581": ("seaport-1.1", "opensea"),
    "0x00000000000006c7676171937c444f6bde3d6282": ("seaport-1.2", "opensea"),
    "0x0000000000000ad24e80fd803c6ac37206a45f15": ("seaport-1.3", "opensea"),
    "0x00000000000001ad428e4906ae43d8f9852d0dd6": ("seaport-1.4", "opensea"),
    "0x00000000000000adc04c56bf30ac9d3c0aaf14dc": ("seaport-1.5", "opensea"),
    "0x0000000000000068f116a894984e2db1123eb395": ("seaport-1.6", "opensea"),
    "0x00000000006687982678b03100b9bdc8be440814": ("seaport-1.6", "opensea"),  # where that one cannot be made
}
"""Protocol and market of the contracts that have one address on every EVM chain."""

MARKETS: dict[int, dict[str, tuple[str, str]]] = {
    _ETHEREUM: {
        "0x7be8076f4ea4a4ad08075c2508e481d6c946d12b": ("wyvern-1", "opensea"),
        "0x7f268357a8c2552623316e2562d90e642bb538e5": ("wyvern-2", "opensea"),
        "0x59728544b08ab483533076417fbbb2fd0b17ce3a": ("looksrare-1", "looksrare"),
        "0x0000000000e655fae4d56241588680f86e3b2377": ("looksrare-2", "looksrare"),
        "0x74312363e45dcaba76c59ec49a7aa8a65a67eed3": ("x2y2", "x2y2"),
        "0x000000000000ad05ccc4f10045630fb830b95127": ("blur-1", "blur"),
        "0xb2ecfe4e4d61f8790bbb9de2d1259b9e2410cea5": ("blur-2", "blur"),
        "0xb47e3cd837ddf8e4c57f05d70ab865de6e193bbb": ("cryptopunks", "cryptopunks"),
        "0x6ba6f2207e343923ba692e5cae646fb0f566db8d": ("cryptopunks", "cryptopunks"),
        "0xcda72070e455bb31c7690a170224ce43623d0b6f": ("foundation", "foundation"),
        "0x53f451165ba6fdbe39a134673d13948261b2334a": ("foundation", "foundation"),  # its drops
        "0x41a322b28d0ff354040e2cbc676f0320d8c8850d": ("superrare", "superrare"),  # the first NFT contract
        "0x2947f98c42597966a0ec25e92843c09ac17fbaa7": ("superrare", "superrare"),
        "0x65b49f7aee40347f5a90b714be4ef086f3fe5e2c": ("superrare", "superrare"),
        "0x8c9f364bf7a56ed058fc63ef81c6cf09c833e656": ("superrare", "superrare"),  # auctions
        "0x6d7c44773c52d396f43c2d511b81aa168e9a7a42": ("superrare", "superrare"),  # the Bazaar
        "0xe5bfab544eca83849c53464f85b7164375bdaac1": ("zora-1", "zora"),
        "0xe468ce99444174bd3bbbed09209577d25d1ad673": ("zora-2", "zora"),
        "0x6170b3c3a54c3d8c854934cbc314ed479b2b29a3": ("zora-3", "zora"),  # Asks 1.1
        "0x34aa9cbb80dc0b3d82d04900c02fb81468dafcab": ("zora-3", "zora"),  # asks in ether
        "0xfbf87e6c2c242d0166e2ddb60db5a94cd4dae00e": ("zora-3", "zora"),  # private asks in ether
        "0x76744367ae5a056381868f716bdf0b13ae1aeaa3": ("zora-3", "zora"),  # offers
        "0x5f7072e1fa7c01dfac7cf54289621afaad2184d0": ("zora-3", "zora"),  # reserve auctions, from here on
        "0x53172d999a299198a935f9e424f9f8544e3d4292": ("zora-3", "zora"),
        "0x9458e29713b98bf452ee9b2c099289f533a5f377": ("zora-3", "zora"),
        "0xd1adaf05575295710de1145c3c9427c364a70a7f": ("zora-3", "zora"),
        "0x1e58be778acae2744c1185ea1ce542f304860b96": ("zora-3", "zora"),
        "0x1e009dec13a2a441b3aa133bd320ff5b16b22e71": ("zora-3", "zora"),
        "0x830bd73e4184cef73443c15111a1df14e495c706": ("nouns-auction", "nouns-auction"),  # Nouns
        "0x55e0f7a3bb39a28bd7bcc458e04b3cf00ad3219e": ("nouns-auction", "nouns-auction"),  # Lil Nouns
        "0xb1690c08e213a35ed9bab7b318de14420fb57d8c": ("cryptokitties-auction", "cryptokitties-auction"),
        "0x3a3548e060be10c2614d0a4cb0c03cc9093fd799": ("manifold", "manifold"),
    },
    _OPTIMISM: {
        "0x5246807fb65d87b0d0a234e0f3d42374de83b421": ("manifold", "manifold"),
    },
    _POLYGON: {
        "0x3634e984ba0373cfa178986fd19f03ba4dd8e469": ("zora-3", "zora"),  # Asks 1.1
    },
    _BASE: {
        "0x7b503e206db34148ad77e00afe214034edf9e3ff": ("foundation", "foundation"),
        "0x62037b26fff91929655aa3a060f327b47d1e2b3e": ("foundation", "foundation"),  # its drops
        "0x5246807fb65d87b0d0a234e0f3d42374de83b421": ("manifold", "manifold"),
    },
    _ZORA: {
        "0xa06262157905913f855573f53ad48de2d4ba1f4a": ("zora-3", "zora"),  # reserve auctions
    },
    _AVALANCHE: {
        "0xae079eda901f7727d0715aff8f82ba8295719977": ("looksrare-1", "joepegs"),  # a copy of that exchange
    },
    _BLAST: {
        "0x0f41639352b190f352baddd32856038f1c230ced": ("blur-2", "blur"),
    },
}
"""Protocol and market of contracts by chain."""

TARGETS: dict[int, dict[str, str]] = {
    _ETHEREUM: {
        "0x83c8f28c26bf6aaca652df1dbbe0e1b56f8baba2": "gem",  # GemSwap 2
        "0x0000000031f7382a812c64b604da4fc520afef4b": "gem",  # Gem's single-item contracts
        "0x0000000035634b55f3d99b071b5a354f48e10bef": "gem",
        "0x00000000a50bb64b4bbeceb18715748dface08af": "gem",
        "0x0a267cf51ef038fc00e71801f5a524aec06e4f07": "genie",  # GenieSwap
        "0x2af4b707e1dce8fc345f38cfeeaa2421e54976d5": "genie",  # its first contract
        "0x39da41747a83aee658334415666f3ef92dd0d541": "blur",  # BlurSwap, the aggregator
    },
}
"""Slugs of contracts that show as a market by being a transaction's target: aggregators."""

ADAPTERS: dict[int, dict[str, str]] = {
    _ETHEREUM: {
        # Orders for OpenSea's shared storefront name the adapter that Seaport calls in its place.
        "0xa604060890923ff400e8c6f5290461a83aedacec": "0x495f947276749ce646f68ac8c248420045cb7b5e",
    },
}
"""The NFT contract that orders mean by an adapter."""

SOURCES: dict[str, str] = {
    "0x5b3256965e7c3cf26e11fcaf296dfc8807c01073": "opensea",
    "0x8de9c5a032463c561423387a9648c5c7bcc5bc90": "opensea",
    "0x34ba0f2379bf9b81d09f7259892e26a8b0885095": "opensea",
    "0x0000a26b00c1f0df003000390027140000faa719": "opensea",
    "0x6fa303e72bed54f515a513496f922bc331e2f27e": "magiceden",
    "0xca9337244b5f04cb946391bc8b8a980e988f9a6a": "magiceden",  # the one before it
    "0x1838de7d4e4e42c8eb7b204a91e28e9fad14f536": "looksrare",
    "0xa7673ab3b0949a0efcd818c86c71fff7cd645ac7": "ens-vision",
    "0x83db44123e76503203fdf83d2be58be60c15b894": "nfttrader",
    "0x0000000000d80cfcb8dfcd8b2c4fd9c813482938": "blur",  # a zone: of the orders that Blur lists on Seaport
}
"""Receivers of fees, and zones, that tell on which market a Seaport order was made: slug by address.

Each is named by at least two published sources: the market's own code, or public tables of NFT trades.
"""

WRAPPED_NATIVE: dict[int, frozenset[str]] = {
    _ETHEREUM: frozenset(
        {
            "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2",  # WETH
            "0x0000000000a39bb272e79075ade125fd351887ac",  # Blur's pool: ether at par
        }
    ),
    _OPTIMISM: frozenset({"0x4200000000000000000000000000000000000006"}),
    _BSC: frozenset({"0xbb4cdb9cbd36b01bd1cbaebf2de08d9173bc095c"}),
    _GNOSIS: frozenset({"0xe91d153e0b41518a2ce8dd3d7944fa863463a97d"}),
    _POLYGON: frozenset({"0x0d500b1d8e8ef31e21c99d1db9a6444d3adf1270"}),
    _BASE: frozenset({"0x4200000000000000000000000000000000000006"}),
    _ARBITRUM: frozenset({"0x82af49447d8a07e3bd95bd0d56f35241523fbab1"}),
    _AVALANCHE: frozenset({"0xb31f66aa3c1e785363f0875a1b74e27b85fd66c7"}),
    _BLAST: frozenset(
        {
            "0x4300000000000000000000000000000000000004",  # WETH
            "0xb772d5c5f4a2eef67dfbc89aa658d2711341b8e5",  # Blur's pool there
        }
    ),
    _ZORA: frozenset({"0x4200000000000000000000000000000000000006"}),
}
"""Contracts that wrap the native currency at par."""


def markets(chain_id: int) -> Iterator[tuple[str, str, str]]:
    """Yield address, protocol and market of every contract that is known on a chain."""
    for address, (protocol, market) in (EVERYWHERE | MARKETS.get(chain_id, {})).items():
        yield address, protocol, market
