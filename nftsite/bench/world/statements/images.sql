-- An image for one NFT in twenty; none is on disk, so none is ready.
INSERT INTO media_cachedimage (
    id, key, url, state, attempts, lease, fault, media_type, own_withheld, source_hash, content_hash, disk_size, original_path,
    preview_path, thumbnail_path
)
SELECT g, md5('https://images.invalid/' || g || '.png'), 'https://images.invalid/' || g || '.png',
    CASE WHEN mod(g, 10) = 0 THEN 'failed' ELSE 'pending' END, CASE WHEN mod(g, 10) = 0 THEN 5 ELSE 0 END, '',
    CASE WHEN mod(g, 10) = 0 THEN 'the host answered 404' ELSE '' END, '', false, '', '', 0, '', '', ''
FROM generate_series(1, %(nfts)s / 20) g;
