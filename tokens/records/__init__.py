"""The NFT record: rows of a page as plain values, its serializer, cards and examples.

Which NFTs are on the page is the engine's.
"""
