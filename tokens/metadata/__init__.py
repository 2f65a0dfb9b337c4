"""From what a token URI leads to, to what is known of the NFT."""
