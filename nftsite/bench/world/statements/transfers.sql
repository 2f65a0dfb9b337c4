-- Every transfer, in the order of time, as a chain would give them. Two of one NFT are never in the same second.

CREATE UNLOGGED TABLE bench_move AS
SELECT row_number() OVER (ORDER BY moment, nft, k) AS id, nft, k, moment
FROM (
    SELECT n.id AS nft, k, %(start)s + floor(%(span)s * CASE
        WHEN n.old THEN 0.5 * (k - 1 + dice) / n.moves
        WHEN k < n.moves THEN (k - 1 + dice) / n.moves
        ELSE greatest((n.moves - 1) / n.moves::double precision, 0.5) * (1 - dice) + dice
    END)::bigint AS moment
    FROM bench_nft n
    CROSS JOIN LATERAL generate_series(1, n.moves) k
    CROSS JOIN LATERAL (SELECT 0.999 * bench_share(n.id * 65536 + k, 40) AS dice) thrown
) moves;

INSERT INTO transfers_transfer (
    id, chain_id, contract_id, nft_id, block_number, transaction_hash, log_index, batch_index, timestamp, recent_key,
    from_address, to_address, transaction_from, amount, value, nft_value_token, nft_value_amount, usd_value, eth_value,
    is_commercial, transfer_type, markets, swaps, judged
)
SELECT id, chain_id, contract_id, nft, block, bench_hash64(id, 50), log, 0, moment, bench_recency(moment, block, log),
    CASE WHEN minted THEN bench_nobody(mint) ELSE bench_holder(nft, k - 1, mint) END,
    CASE WHEN burns THEN bench_nobody(mint) WHEN escrowed THEN bench_escrow() ELSE bench_holder(nft, k, mint) END,
    bench_holder(nft, k, mint), CASE WHEN multiple THEN bench_uint(1 + mod(k, 50)) ELSE '011' END,
    CASE WHEN sold THEN bench_uint(price) ELSE '010' END,
    CASE WHEN sold THEN bench_nobody(mint) END,
    CASE WHEN sold THEN bench_uint(price) END,
    CASE WHEN sold AND in_ether THEN bench_uint(price * %(eth_usd)s) END,
    CASE WHEN sold AND in_ether THEN bench_uint(price) END,
    sold,
    CASE WHEN minted THEN 'mint' WHEN burns THEN 'burn' WHEN sold AND mod(id, 15) = 0 THEN 'swap' WHEN sold THEN 'sale'
        ELSE 'transfer' END,
    CASE WHEN sold THEN '["' || (%(markets)s::text[])[market] || '"]' ELSE '[]' END,
    CASE WHEN sold AND mod(id, 15) = 0 THEN format(
        '[{"contractAddress":"%%s","tokenId":"%%s","fromAddress":"%%s","toAddress":"%%s","amount":"1"}]',
        address, mod(id, 1000), bench_holder(nft, k, mint), bench_holder(nft, k - 1, mint)) ELSE '[]' END,
    false
FROM (
    SELECT m.id, m.nft, m.k, m.moment, n.chain_id, n.contract_id, n.multiple, n.ids = 'mint' AS mint, c.address, h.native_currency = 'ETH' AS in_ether,
        bench_block(m.moment) AS block, mod(bench_dice(m.id, 41), 400) AS log,
        n.multiple OR m.k = 1 AS minted, burns, n.escrowed AND m.k = n.moves AS escrowed,
        NOT (n.multiple OR n.ids = 'mint' OR m.k = 1 OR burns) AND (rare OR dice < 0.4) AS sold,
        1000000000 * (1 + mod(bench_dice(m.id, 44), 5000000000))::numeric AS price,
        CASE WHEN rare THEN 11 ELSE 1 + width_bucket(bench_share(m.id, 45),
            ARRAY[0.62, 0.80, 0.88, 0.92, 0.95, 0.97, 0.98, 0.99, 0.995]) END AS market
    FROM bench_move m
    JOIN bench_nft n ON n.id = m.nft
    JOIN tokens_contract c ON c.id = n.contract_id
    JOIN tokens_chain h ON h.id = n.chain_id
    CROSS JOIN LATERAL (SELECT
        n.burnt AND m.k > 1 AND m.k = n.moves AS burns,
        n.number = 1 AND m.k = 2 AND mod(n.ordinal, greatest(%(nfts)s / 5 / 21, 1)) = 5 AS rare,
        bench_share(m.id, 43) AS dice) thrown
    OFFSET 0  -- computed once a row
) moves
ORDER BY id;
