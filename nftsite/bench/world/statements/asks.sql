-- Asks: a tenth of the NFTs has live ones, one in ten of these several, one in fifty has ended and is not yet swept; and
-- half as many as there are NFTs are filled or cancelled.
INSERT INTO tokens_ask (
    chain_id, contract_id, nft_id, market_id, order_hash, currency_id, price, price_key, amount, maker, valid_from,
    valid_until, status, active, sole, stated_amount, stated_status, reflects, reason, wakes, source, check_at
)
SELECT chain_id, contract_id, nft, (%(market_ids)s::bigint[])[1 + mod(bench_dice(number, 60), 6)], bench_hash64(number, 61),
    currency_id, price, bench_price_key(currency_id, price), '011',
    CASE WHEN escrowed THEN bench_escrow() ELSE bench_holder(nft, moves, mint) END, %(start)s,
    CASE WHEN bench_share(number, 62) < 0.02 THEN %(start)s + %(span)s
        WHEN bench_share(number, 62) < 0.7 THEN 4000000000 + mod(bench_dice(number, 63), 1000000) ELSE 4611686018427387904 END,
    'open', true, offers = 1, '011', 'open', '[]', '', true, 'load', 0
FROM (
    SELECT n.id AS nft, offers, n.chain_id, n.contract_id, n.moves, n.escrowed, n.ids = 'mint' AS mint, n.id * 64 + g AS number,
        (%(currency_ids)s::bigint[])[1 + width_bucket(bench_share(n.id * 64 + g, 64), ARRAY[0.85, 0.95, 0.98])] AS currency_id,
        bench_uint(floor(power(10, 15 + 6 * bench_share(n.id * 64 + g, 65)))::numeric * 1000) AS price
    FROM bench_nft n
    CROSS JOIN LATERAL (
        SELECT CASE WHEN bench_share(n.id, 66) < 0.01 THEN 2 + mod(bench_dice(n.id, 67), 7) ELSE 1 END AS offers
    ) o
    CROSS JOIN LATERAL generate_series(1, offers) g
    WHERE bench_share(n.id, 66) < 0.1 AND n.moves > 0 AND NOT n.burnt
    OFFSET 0  -- computed once a row
) offered
ORDER BY mod(bench_dice(number, 68), 1000000);

INSERT INTO tokens_ask (
    chain_id, contract_id, nft_id, market_id, order_hash, currency_id, price, price_key, amount, maker, valid_from,
    valid_until, status, active, sole, stated_amount, stated_status, reflects, reason, wakes, source, check_at
)
SELECT chain_id, contract_id, id, (%(market_ids)s::bigint[])[1 + mod(bench_dice(id, 70), 6)], bench_hash64(id, 71),
    (%(currency_ids)s::bigint[])[1], price, bench_price_key((%(currency_ids)s::bigint[])[1], price), '011',
    bench_holder(id, 1, mint), %(start)s, %(start)s + %(span)s,
    status, false, false, '011', status, '[]', status, true, 'load', 0
FROM (
    SELECT n.*, ids = 'mint' AS mint, CASE WHEN mod(n.id, 4) = 0 THEN 'filled' ELSE 'cancelled' END AS status,
        bench_uint(floor(power(10, 15 + 6 * bench_share(n.id, 72)))::numeric * 1000) AS price FROM bench_nft n
    WHERE moves > 0 AND mod(id, 2) = 1
    OFFSET 0
) ended;

INSERT INTO tokens_nftmarket (nft_id, market_id, contract_id, chain_id, traded, recent_key, token_key, rarity_key)
SELECT n.id, a.market_id, n.contract_id, n.chain_id, false, r.recent_key, n.token_key, n.rarity_key
FROM (
    SELECT DISTINCT nft_id, unnest(ARRAY[market_id, 0]) AS market_id FROM tokens_ask WHERE status = 'open'  -- 0: on any
) a
JOIN tokens_nft n ON n.id = a.nft_id
JOIN tokens_nftrecent r ON r.nft_id = n.id
WHERE NOT EXISTS (SELECT 1 FROM tokens_nftmarket p WHERE p.nft_id = a.nft_id AND p.market_id = a.market_id);
