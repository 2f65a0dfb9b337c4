"""The known contracts of markets, by EIP-155 chain id. All addresses are in lower case.

What is deployed at one address on every chain (by CREATE2: Seaport, Payment Processor 2) is listed once. An operator
adds more in the admin.
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
    "0x9a1d00bed7cd04bcda516d721a596eb22aac6834": ("payment-processor-2", "magiceden"),
    "0x9a1d001670c8b17f8b7900e8d7a41e785b3f0515": ("payment-processor-2", "magiceden"),  # its second release
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
        "0x29469395eaf6f95920e59f858042f0e28d98a20b": ("blend", "blend"),
        "0x88341d1a8f672d2780c8dc725902aae72f143b0c": ("nftfi", "nftfi"),  # version 1
        "0xf896527c49b44aab3cf22ae356fa3af8e331f280": ("nftfi", "nftfi"),  # 2
        "0xe52cec0e90115abeb3304baa36bc2655731f7934": ("nftfi", "nftfi"),  # 2, collections
        "0x8252df1d8b29057d1afe3062bf5a64d503152bc8": ("nftfi", "nftfi"),  # 2.1
        "0xd0a40eb7fd94ee97102ba8e9342243a2b2e22207": ("nftfi", "nftfi"),  # 2.3
        "0xd0c6e59b50c32530c627107f50acc71958c4341f": ("nftfi", "nftfi"),  # 2.3, collections
        "0x9f10d706d789e4c76a1a6434cd1a9841c875c0a6": ("nftfi", "nftfi"),  # 3
        "0xb6adec2acc851d30d5fb64f3137234bcdcbbad0d": ("nftfi", "nftfi"),  # 3, collections
        "0x70b97a0da65c15dfb0ffa02aee6fa36e507c2762": ("benddao", "benddao"),
        "0x81b2f8fc75bab64a6b144aa6d2faa127b4fa7fd9": ("arcade", "arcade"),  # version 2
        "0x89bc08ba00f135d608bc335f6b33d7a9abcc98af": ("arcade", "arcade"),  # 3
        "0xaf93fcce0548d3124a5fc3045adaf1dde4e8bf7e": ("nftx-1", "nftx"),
        "0x0fc584529a2aefa997697fafacba5831fac0c22d": ("nftx-zap", "nftx"),  # version 2
        "0xbbc53022af15bb973ad906577c84784c47c14371": ("nftx-zap", "nftx"),  # 2, by way of 0x
        "0x293a0c49c85f1d8851c665ac3ce1f1dc2a79be3d": ("nftx-zap", "nftx"),  # 3
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
        "0xcd4ec7b66fbc029c116ba9ffb3e59351c20b5b06": ("rarible-1", "rarible"),
        "0x09eab21c40743b2364b94345419138ef80f39e30": ("rarible-1", "rarible"),  # the exchange after it
        "0xf2ee97405593bc7b6275682b0331169a48fedec7": ("rarible-1", "rarible"),  # TokenSale
        "0x131aebbfe55bca0c9eaad4ea24d386c5c082dd58": ("rarible-1", "rarible"),  # ERC721Sale
        "0x8c530a698b6e83d562db09079bc458d4dad4e6c5": ("rarible-1", "rarible"),  # ERC1155Sale
        "0x93f2a75d771628856f37f256da95e99ea28aafbe": ("rarible-1", "rarible"),  # the second ERC1155Sale
        "0x9757f2d2b135150bbeb65308d4a91804107cd8d6": ("rarible-2", "rarible"),
        "0x20f780a973856b93f63670377900c1d2a50a77c4": ("element", "element"),
        "0xdef1c0ded9bec7f1a1670819833240f027b25eff": ("0x-4", "zeroex"),
        "0x555598409fe9a72f0a5e423245c34555f6445555": ("archipelago", "archipelago"),
        "0x921fd42f147b26b51aa3c7fa3f2e2ce7704c2858": ("sandbox", "sandbox"),
        "0x009a1dc629242961c9e4f089b437afd394474cc0": ("payment-processor-1", "magiceden"),
        "0x13d8faf4a690f5ae52e2d2c52938d1167057b9af": ("nfttrader", "nfttrader"),
        "0xc310e760778ecbca4c65b6c559874757a4c4ece0": ("nfttrader", "nfttrader"),
        "0x93ff6375e9ba6e8fba84b322944b237d7decc2d8": ("swapkiwi", "swapkiwi"),
        "0x4748495153fb86637e4fdd8e50e3c1f611f15930": ("swapkiwi", "swapkiwi"),
        "0x1c1919ec9de318b58fa66bae7449438c673e10b8": ("swapkiwi", "swapkiwi"),  # with ERC-1155 and ether
    },
    _OPTIMISM: {
        "0x5246807fb65d87b0d0a234e0f3d42374de83b421": ("manifold", "manifold"),
        "0xdef1abe32c034e558cdd535791643c58a13acc10": ("0x-4", "zeroex"),
    },
    _POLYGON: {
        "0x3634e984ba0373cfa178986fd19f03ba4dd8e469": ("zora-3", "zora"),  # Asks 1.1
        "0x12b3897a36fdb436dde2788c06eff0ffd997066e": ("rarible-2", "rarible"),
        "0xeaf5453b329eb38be159a872a6ce91c9a8fb0260": ("element", "element"),
        "0xdef1c0ded9bec7f1a1670819833240f027b25eff": ("0x-4", "zeroex"),
        "0x009a1daf6b5b8adc6b3db720c58d43caa2fdac56": ("payment-processor-1", "magiceden"),
    },
    _BASE: {
        "0x7b503e206db34148ad77e00afe214034edf9e3ff": ("foundation", "foundation"),
        "0x62037b26fff91929655aa3a060f327b47d1e2b3e": ("foundation", "foundation"),  # its drops
        "0x5246807fb65d87b0d0a234e0f3d42374de83b421": ("manifold", "manifold"),
        "0x31cb832f661cd90fc9fca6fb70a39ca811a02aed": ("nftx-zap", "nftx"),  # version 3
        "0x139608abee12ff39fedae39c493b571a25995e10": ("rarible-2", "rarible"),
        "0xa39a5f160a1952ddf38781bd76e402b0006912a9": ("element", "element"),
        "0xdef1c0ded9bec7f1a1670819833240f027b25eff": ("0x-4", "zeroex"),
    },
    _ZORA: {
        "0xa06262157905913f855573f53ad48de2d4ba1f4a": ("zora-3", "zora"),  # reserve auctions
    },
    _AVALANCHE: {
        "0xae079eda901f7727d0715aff8f82ba8295719977": ("looksrare-1", "joepegs"),  # a copy of that exchange
        "0xdef1c0ded9bec7f1a1670819833240f027b25eff": ("0x-4", "zeroex"),
    },
    _ARBITRUM: {
        "0x66f26e38bd50fd52a50da8e87e435f04f98001b7": ("nftx-zap", "nftx"),  # version 2
        "0xf56296b3010a59ef7f0915569dd44e1302b9ca40": ("nftx-zap", "nftx"),  # 3
        "0x07b637739cad9a5f0c487219b283a52717e69978": ("rarible-2", "rarible"),
        "0x18cd9270dbdca86d470cfb3be1b156241fffa9de": ("element", "element"),
        "0xdef1c0ded9bec7f1a1670819833240f027b25eff": ("0x-4", "zeroex"),
    },
    _BLAST: {
        "0x0f41639352b190f352baddd32856038f1c230ced": ("blur-2", "blur"),
    },
    _BSC: {
        "0xb3e3dfcb2d9f3dde16d78b9e6eb3538eb32b5ae1": ("element", "element"),
        "0xdef1c0ded9bec7f1a1670819833240f027b25eff": ("0x-4", "zeroex"),
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
        "0x2b2e8cda09bba9660dca5cb6233787738ad68329": "sudoswap",  # the router of version 1
        "0x844d04f79d2c58dcebf8fff1e389fccb1401aa49": "sudoswap",  # the one that pays royalties
        "0x090c236b62317db226e6ae6cd4c0fd25b7028b65": "sudoswap",  # VeryFastRouter, of version 2
        "0x2a7251d1e7d708c507b1b0d3ff328007beecce5d": "rarible",  # Rarible's exchange wrappers
        "0x7f19564c35c681099c0c857a7141836cf7edaa53": "rarible",
        "0x00000000005228b791a99a61f36a130d50600106": "looksrare",  # LooksRare's aggregator
        "0x0000000000a35231d7706bd1ee827d43245655ab": "looksrare",  # the same for payments in tokens
    },
    _BASE: {
        "0xa07ebd56b361fe79af706a2bf6d8097091225548": "sudoswap",
    },
    _ARBITRUM: {
        "0x5bfe2ef160eaaaa4afa89a8fa09775b6580162c9": "sudoswap",
    },
    _BLAST: {
        "0xa43d2f748e73431983578a92ecd2d830126d5f17": "sudoswap",
    },
}
"""Slugs of contracts that show as a market by being a transaction's target: aggregators, and routers of pools."""

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
