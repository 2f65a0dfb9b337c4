-- The rows of the world, from plans_contract, plans_slot and plans_price, which world.py makes. Ids are given, as the tables
-- are empty; keys are spread by primes, so that no order is another's.

-- A tenth of each contract is marked, in a cluster.
CREATE TEMPORARY TABLE plans_nft ON COMMIT DROP AS
SELECT row_number() OVER (ORDER BY c.id, place) AS id, c.id AS contract_id, c.chain_id, c.rated,
    mod(place * 7919, c.size) * step + first AS token_id, place >= c.size - c.size / 10 AS marked
FROM plans_contract c, generate_series(0, c.size - 1) place;

INSERT INTO tokens_nft (id, chain_id, contract_id, token_key, rarity, rarity_key, marked, own_marked, transferred)
SELECT id, chain_id, contract_id, lpad(length(token_id::text)::text, 2, '0') || token_id, rarity, coalesce(-rarity, 1e308),
    marked, marked, true
FROM plans_nft, LATERAL (SELECT CASE WHEN rated THEN mod(id * 6091, 99991) / 1000.0 END AS rarity) made
ORDER BY id;

-- Each was transferred once, every tenth three times, the last time at a moment of its own.
INSERT INTO transfers_transfer (
    id, chain_id, contract_id, nft_id, block_number, transaction_hash, log_index, batch_index, timestamp, recent_key,
    amount, markets, swaps, judged, transfer_type, from_address, to_address
)
SELECT id + earlier * 1000000, chain_id, contract_id, id, id, 'moved-' || id || '-' || earlier, 0, 0, id,
    'y' || earlier || lpad((1000000 - mod(id * 7919, 1000000))::text, 20, '0'), '011', '[]', '[]', false,
    CASE WHEN id % 3 = 0 THEN 'sale' ELSE 'transfer' END, -- a third of all, by some people to some others
    '0x5e11e6' || lpad(mod(id * 31, 4001)::text, 34, '0'), '0xb04e60' || lpad(mod(id * 37, 4003)::text, 34, '0')
FROM plans_nft, generate_series(0, CASE WHEN id % 10 = 0 THEN 2 ELSE 0 END) earlier
ORDER BY id;

INSERT INTO tokens_nftrecent (nft_id, contract_id, chain_id, token_key, recent_key, last_transfer_id, markets, marked)
SELECT n.id, n.contract_id, n.chain_id, n.token_key, t.recent_key, t.id, '[]', n.marked
FROM tokens_nft n JOIN transfers_transfer t ON t.id = n.id
ORDER BY n.id;

ANALYZE tokens_nft, tokens_nftrecent;

-- The number that an NFT throws with a dice tells which of a slot's values it has, if any.
INSERT INTO tokens_nfttrait (nft_id, trait_id, token_key, rarity_key)
SELECT id, trait_id, token_key, rarity_key
FROM (
    SELECT n.id, n.token_key, n.rarity_key, s.trait_ids[1 + width_bucket(thrown, s.ends)] AS trait_id
    FROM tokens_nft n
    JOIN plans_slot s ON s.contract_id = n.contract_id
    CROSS JOIN LATERAL (SELECT mod(hashint8extended(n.id, s.dice) & 9223372036854775807, 10000)::integer AS thrown) t
    OFFSET 0  -- computed once a row
) fallen
WHERE trait_id IS NOT NULL
ORDER BY id, trait_id;

INSERT INTO tokens_nfttraitrecent (nft_id, trait_id, recent_key)
SELECT p.nft_id, p.trait_id, r.recent_key FROM tokens_nfttrait p JOIN tokens_nftrecent r ON r.nft_id = p.nft_id
ORDER BY p.nft_id, p.trait_id;

UPDATE tokens_traitvalue v SET count = counted.count
FROM (SELECT trait_id, count(*) FROM tokens_nfttrait GROUP BY trait_id) counted WHERE counted.trait_id = v.id;

-- One face in ten is on sale, on two marketplaces at once.
INSERT INTO tokens_ask (
    chain_id, contract_id, nft_id, market_id, order_hash, currency_id, price, price_key, valid_from, valid_until, status,
    active, sole, stated_status, reflects, reason, wakes, source, check_at
)
SELECT n.chain_id, n.contract_id, n.id, m.id, 'ask-' || n.id || m.slug, p.currency_id, p.price, p.price_key,
    0, 4611686018427387904, 'open', true, false, 'open', '[]', '', true, 'load', 0
FROM plans_nft n
JOIN plans_price p ON p.number = n.id % 997
JOIN tokens_market m ON m.slug IN ('opensea', 'blur')
WHERE n.contract_id = 1 AND n.token_id % 10 = 3
ORDER BY n.id, m.id;

-- A quarter of all NFTs is in escrow; the others are held by 5,000 addresses, twenty-odd each.
INSERT INTO tokens_owner (nft_id, contract_id, address, amount, known, entered_key, updated_at)
SELECT id, contract_id, CASE WHEN id % 4 = 0 THEN '0xe5c' || repeat('0', 37) ELSE '0x' || lpad((id % 5000)::text, 40, '0') END,
    '011', true, '~', id
FROM tokens_nft ORDER BY id;
INSERT INTO tokens_wideholder (id, address, nfts)
SELECT 1, '0xe5c' || repeat('0', 37), count(*) FROM tokens_nft WHERE id % 4 = 0;

-- All have a posting on blur and a fifth on opensea: half of them have been traded there, the others had asks. 0: on any.
INSERT INTO tokens_nftmarket (nft_id, market_id, contract_id, chain_id, traded, recent_key, token_key, rarity_key)
SELECT n.id, m.id, n.contract_id, n.chain_id, m.id > 0 AND n.id % 2 = 0, r.recent_key, n.token_key, n.rarity_key
FROM tokens_nft n
JOIN tokens_nftrecent r ON r.nft_id = n.id
LEFT JOIN (SELECT DISTINCT nft_id FROM tokens_ask) a ON a.nft_id = n.id
JOIN (SELECT id, slug FROM tokens_market UNION SELECT 0, NULL) m
    ON m.slug = 'blur' OR m.slug = 'opensea' AND (n.id % 5 < 1 OR a.nft_id > 0) OR m.id = 0 AND a.nft_id > 0
ORDER BY n.id, m.id;

-- The lists of the escrow: all that it holds, and what of that has asks.
INSERT INTO tokens_nftmarket (nft_id, market_id, contract_id, chain_id, traded, recent_key, token_key, rarity_key)
SELECT n.id, lists.market_id, n.contract_id, n.chain_id, false, r.recent_key, n.token_key, n.rarity_key
FROM tokens_nft n
JOIN tokens_nftrecent r ON r.nft_id = n.id
LEFT JOIN (SELECT DISTINCT nft_id FROM tokens_ask) a ON a.nft_id = n.id
JOIN (SELECT -2 AS market_id UNION SELECT -3) lists ON lists.market_id = -2 OR a.nft_id > 0
WHERE n.id % 4 = 0
ORDER BY n.id;
