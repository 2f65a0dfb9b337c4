"""The currencies of the tests' transactions, by their contracts on Ethereum; the zero address is ether itself."""

ETHER = "0x" + "0" * 40
WETH = "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2"
USDC = "0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48"
POOL_ETHER = "0x0000000000a39bb272e79075ade125fd351887ac"
"""Of Blur's pool."""
ONE_ETHER = 10**18
