-- Who holds and who once held, from the transfers. Nobody holds an NFT twice here, so each receipt is one row.
INSERT INTO tokens_owner (
    nft_id, contract_id, address, amount, known, entered_key, entered_at_block, entered_at, updated_at_block, updated_at
)
SELECT t.nft_id, t.contract_id, t.to_address, CASE WHEN n.multiple OR m.k = n.moves THEN t.amount ELSE '010' END, true,
    bench_position(t.timestamp, t.block_number, t.log_index), t.block_number, t.timestamp,
    coalesce(later.block_number, t.block_number), coalesce(later.timestamp, t.timestamp)
FROM (
    SELECT id, nft, k, lead(id) OVER (PARTITION BY nft ORDER BY k) AS next FROM bench_move
) m
JOIN bench_nft n ON n.id = m.nft
JOIN transfers_transfer t ON t.id = m.id
LEFT JOIN transfers_transfer later ON later.id = m.next AND NOT n.multiple
WHERE t.transfer_type <> 'burn';
