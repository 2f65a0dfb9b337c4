-- The plan of every NFT: its contract, how often it moves, which traits it has. bench_contract is made from Python.

CREATE UNLOGGED TABLE bench_nft AS
WITH placed AS (
    SELECT g AS id, mod(g * %(stride)s, %(nfts)s) AS place FROM generate_series(1::bigint, %(nfts)s) g
), known AS (
    SELECT p.id, c.contract_id, c.chain_id, c.number, c.ids, c.multiple, c.rated, c.moves AS mean,
        p.place - c.first AS ordinal, c.size,
        bench_share(p.id, 1) < 0.5 AS old
    FROM placed p JOIN bench_contract c ON c.number = width_bucket(p.place, %(firsts)s::bigint[])
)
SELECT id, contract_id, chain_id, number, ids, multiple, rated, ordinal, old,
    CASE
        WHEN number = 1 AND ordinal = 7 THEN %(nfts)s / 100  -- one that everybody trades
        WHEN multiple AND number < 200 AND ordinal < 2 THEN least(5000, %(nfts)s / 40)  -- and some that thousands hold
        WHEN bench_share(id, 2) < 0.01 THEN 0
        ELSE 1 + floor(-ln(1 - bench_share(id, 3)) * (mean - 0.5))::integer
    END AS moves,
    NOT multiple AND bench_share(id, 4) < 0.005 AS burnt,
    NOT multiple AND ids <> 'mint' AND bench_share(id, 91) < 0.05 AS escrowed,  -- by its last transfer
    ARRAY[
        -- Metal: Gold 3, Silver 30, Bronze 1,000 in the largest contract, by share elsewhere
        CASE WHEN number = 1 THEN
                CASE WHEN ordinal < 3 THEN 0 WHEN ordinal < 33 THEN 1 WHEN mod(ordinal, greatest(size / 1000, 2)) = 1 THEN 2
                ELSE 3 END
            WHEN bench_share(id, 10) < 0.001 THEN 0 WHEN bench_share(id, 10) < 0.01 THEN 1
            WHEN bench_share(id, 10) < 0.06 THEN 2 ELSE 3 END,
        -- Hat: None for 99.7 of 100 in the largest, Hat999 for some 150
        CASE WHEN number = 1 AND bench_share(id, 11) < 0.997 THEN 4
            WHEN number = 1 AND bench_share(id, 11) < 0.9974 THEN 5
            WHEN bench_share(id, 11) < 0.8 THEN 4
            ELSE 6 + mod(bench_dice(id, 12), 4) END,
        -- Fur: Blue for 60 of 100
        CASE WHEN bench_share(id, 13) < 0.6 THEN 10 ELSE 11 + mod(bench_dice(id, 14), 7) END,
        -- Era: with the half that moved last, so that Old is what a walk by recency meets last
        CASE WHEN old THEN 18 ELSE 19 END,
        -- Skin: Flesh only among New, so that Old and Flesh together are nobody
        CASE WHEN NOT old AND bench_share(id, 15) < 0.9 THEN 20 ELSE 21 + mod(bench_dice(id, 16), 3) END,
        -- Eyes: the first an eighth, then fewer
        24 + floor(power(bench_share(id, 17), 1.1) * 10),
        -- Level: thirty of about one size
        34 + mod(bench_dice(id, 18), 30)
    ]::smallint[] AS slots
FROM known;
ALTER TABLE bench_nft ADD PRIMARY KEY (id);

INSERT INTO tokens_nft (
    id, chain_id, contract_id, token_key, uri, metadata, image_id, rarity, rarity_key, rank, minter, own_marked, marked,
    transferred
)
SELECT id, chain_id, contract_id, token_key, 'ipfs://bench/' || token_key,
    format(
        '{"name":"%%s #%%s","description":"%%s","imageUrl":"ipfs://bench/%%s.png","traits":[%%s]}', names[1], ordinal,
        'One of a generated collection, as long as the descriptions of real ones are: who made it, what its holder may do '
        || 'with it, and where to read more.', token_key,
        (SELECT string_agg(format('{"traitType":"%%s","traitValue":"%%s"}', (%(kinds)s::text[])[slot + 1],
                (%(values)s::text[])[slot + 1]), ',') FROM unnest(slots) slot)
    ),
    CASE WHEN mod(id, 20) = 0 THEN id / 20 END,
    rarity, coalesce(-rarity, 1e308), CASE WHEN rated THEN 1 + floor(bench_share(id, 20) * 10000) END,
    CASE WHEN moves > 0 THEN bench_holder(id, 1, ids = 'mint') END, false, false, moves > 0
FROM (
    SELECT n.*, ARRAY['Bench'] AS names,
        CASE ids
            WHEN 'small' THEN bench_uint(ordinal)
            WHEN 'wide' THEN '77' || (1 + mod(bench_dice(id, 30), 9)) || lpad(bench_dice(id, 31)::text, 19, '0')
                || lpad(bench_dice(id, 32)::text, 19, '0') || lpad(bench_dice(id, 33)::text, 19, '0') || lpad(id::text, 19, '0')
            ELSE '~9' || translate(encode(int8send(bench_dice(id, 34)) || int8send(bench_dice(id, 35)), 'hex'), '0', 'z')
                || translate(lpad(id::text, 10, '0'), '0123456789', 'ABCDEFGHJK')
        END AS token_key,
        CASE WHEN rated THEN round(bench_share(id, 36)::numeric * 400, 6)::double precision END AS rarity
    FROM bench_nft n
    OFFSET 0  -- computed once a row
) made
ORDER BY id;
