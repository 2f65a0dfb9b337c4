-- The posting lists of traits, in all orders, and how many NFTs have each value. No trait value without an NFT stays.
INSERT INTO tokens_nfttrait (nft_id, trait_id, token_key, rarity_key)
SELECT n.id, n.contract_id * %(slot_stride)s + slot, f.token_key, f.rarity_key
FROM bench_nft n JOIN tokens_nft f ON f.id = n.id CROSS JOIN LATERAL unnest(n.slots) slot
ORDER BY n.id, slot;

INSERT INTO tokens_nfttraitrecent (nft_id, trait_id, recent_key)
SELECT n.id, n.contract_id * %(slot_stride)s + slot, r.recent_key
FROM bench_nft n JOIN tokens_nftrecent r ON r.nft_id = n.id CROSS JOIN LATERAL unnest(n.slots) slot
ORDER BY n.id, slot;

UPDATE tokens_traitvalue v SET count = counted.count
FROM (SELECT trait_id, count(*) FROM tokens_nfttrait GROUP BY trait_id) counted WHERE counted.trait_id = v.id;
DELETE FROM tokens_traitvalue WHERE count = 0;
