-- Addresses that hold very many NFTs, and their lists: of all that they hold, and of what of it has asks.
INSERT INTO tokens_wideholder (address, nfts)
SELECT address, count(*) FROM tokens_owner WHERE amount > '010' GROUP BY address HAVING count(*) > %(wide)s;

INSERT INTO tokens_nftmarket (nft_id, market_id, contract_id, chain_id, traded, recent_key, token_key, rarity_key)
SELECT r.nft_id, -2 * w.id - lists.asked, r.contract_id, r.chain_id, false, r.recent_key, r.token_key, n.rarity_key
FROM tokens_wideholder w
JOIN tokens_owner o ON o.address = w.address AND o.amount > '010'
JOIN tokens_nftrecent r ON r.nft_id = o.nft_id
JOIN tokens_nft n ON n.id = r.nft_id
CROSS JOIN (SELECT 0 AS asked UNION ALL SELECT 1) lists
LEFT JOIN tokens_nftmarket p ON p.nft_id = r.nft_id AND p.market_id = 0
WHERE lists.asked = 0 OR p.nft_id > 0
ORDER BY r.nft_id;
