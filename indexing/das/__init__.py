"""NFTs of mint-identified chains (Solana) from a DAS node."""
