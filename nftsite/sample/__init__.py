"""What `make run` fills an empty database with: `sample.jsonl`, lines of the interchange format as `dump` writes them.

300 made-up NFTs in six contracts on three chains: ERC-721, ERC-1155 (one edition with more than a hundred owners,
batch transfers) and Solana; mints, transfers, sales, swaps, bundles and burns on nine markets in four currencies; live
asks, with an end in 2100 or none, beside some that are over; marked NFTs and a marked contract; ENS names; small PNGs,
pixel art and SVGs as `data:` URIs. All of it happened late in 2024, so that nothing lies ahead of whoever looks at it.

To change it, edit lines, or load it into an empty database, change that, and `dump` it over the file. A dump does not
say to which contract Solana's transfers and asks belong; here they do, so that no contract is made for mints of none.
"""
