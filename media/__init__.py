"""A URL's bytes: fetched, vetted, kept in three sizes, and served.

It knows no NFT; who shows an image registers its URL.
"""
