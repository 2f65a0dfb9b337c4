-- Marks in clusters: the newest twentieth of the largest contract one by one, some contracts whole.
CREATE TEMPORARY TABLE bench_marked AS
(SELECT nft_id, true AS own FROM tokens_nftrecent WHERE contract_id = %(largest)s ORDER BY recent_key, nft_id
    LIMIT %(nfts)s / 100)
UNION ALL
SELECT n.id, false FROM tokens_nft n JOIN tokens_contract c ON c.id = n.contract_id WHERE c.marked;

UPDATE tokens_nft n SET marked = true, own_marked = m.own, marked_reason = CASE WHEN m.own THEN 'stolen' END
FROM bench_marked m WHERE m.nft_id = n.id;
UPDATE tokens_nftrecent n SET marked = true FROM bench_marked m WHERE m.nft_id = n.nft_id;
DROP TABLE bench_marked;
