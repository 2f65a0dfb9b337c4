-- The narrow row of every NFT, and the marketplaces it was sold on.
CREATE UNLOGGED TABLE bench_last AS
SELECT m.nft, t.id, t.recent_key
FROM bench_nft n JOIN bench_move m ON m.nft = n.id AND m.k = n.moves JOIN transfers_transfer t ON t.id = m.id;
ALTER TABLE bench_last ADD PRIMARY KEY (nft);

INSERT INTO tokens_nftmarket (nft_id, market_id, contract_id, chain_id, traded, recent_key, token_key, rarity_key)
SELECT n.id, sold.market_id, n.contract_id, n.chain_id, true, last.recent_key, n.token_key, n.rarity_key
FROM (
    SELECT DISTINCT t.nft_id, m.id AS market_id FROM transfers_transfer t
    JOIN tokens_market m ON t.markets = '["' || m.slug || '"]' WHERE t.markets <> '[]'
) sold
JOIN tokens_nft n ON n.id = sold.nft_id
JOIN bench_last last ON last.nft = n.id
ORDER BY n.id, sold.market_id;

INSERT INTO tokens_nftrecent (
    nft_id, contract_id, chain_id, token_key, recent_key, last_transfer_id, markets, owners_total, marked
)
SELECT n.id, n.contract_id, n.chain_id, f.token_key, coalesce(last.recent_key, '~'), last.id, coalesce(traded.markets, '[]'),
    CASE WHEN n.moves = 0 THEN NULL WHEN n.multiple THEN n.moves WHEN n.burnt AND n.moves > 1 THEN 0 ELSE 1 END, false
FROM bench_nft n
JOIN tokens_nft f ON f.id = n.id
LEFT JOIN bench_last last ON last.nft = n.id
LEFT JOIN (
    SELECT p.nft_id, '[' || string_agg('"' || m.slug || '"', ',' ORDER BY m.slug) || ']' AS markets
    FROM tokens_nftmarket p JOIN tokens_market m ON m.id = p.market_id GROUP BY p.nft_id
) traded ON traded.nft_id = n.id
ORDER BY n.id;
