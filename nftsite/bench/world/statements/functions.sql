-- Deterministic dice and the keys of core/db/keys.py, as SQL. Dropped again once the world stands.

-- 63 bits that depend on a number and a salt alone.
CREATE FUNCTION bench_dice(number bigint, salt integer) RETURNS bigint
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS
$$ SELECT hashint8extended(number, salt) & 9223372036854775807 $$;

-- The same as a number in [0, 1).
CREATE FUNCTION bench_share(number bigint, salt integer) RETURNS double precision
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS
$$ SELECT (hashint8extended(number, salt) & 1073741823) / 1073741824::double precision $$;

CREATE FUNCTION bench_hash64(number bigint, salt integer) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS
$$ SELECT '0x' || encode(int8send(hashint8extended(number, salt)) || int8send(hashint8extended(number, salt + 1))
    || int8send(number) || int8send(hashint8extended(number, salt + 2)), 'hex') $$;

CREATE FUNCTION bench_uint(number numeric) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS
$$ SELECT lpad(length(number::text)::text, 2, '0') || number::text $$;

-- position_key and recency_key: 37 bits of time, 43 of block, 24 of log index, 24 of batch index (here 0).
CREATE FUNCTION bench_position(moment bigint, block bigint, log bigint) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS
$$ SELECT translate(
    left(encode(int8send((moment << 27) | (block >> 16)) || int8send(((block & 65535) << 48) | (log << 24)), 'base64'), 22),
    'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/',
    '-0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz') COLLATE "C" $$;

CREATE FUNCTION bench_recency(moment bigint, block bigint, log bigint) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS
$$ SELECT translate(
    left(encode(int8send(~((moment << 27) | (block >> 16))) || int8send(~(((block & 65535) << 48) | (log << 24))), 'base64'), 22),
    'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/',
    '-0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz') COLLATE "C" $$;

CREATE FUNCTION bench_block(moment bigint) RETURNS bigint
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS
$$ SELECT (moment - 1400000000) / 12 $$;

-- An account of an EVM chain, or one in base58.
CREATE FUNCTION bench_account(number bigint, mint boolean) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS
$$ SELECT CASE WHEN mint THEN '9Ho' || translate(lpad(number::text, 40, '0'), '0123456789', 'ABCDEFGHJK')
    ELSE '0xa' || lpad(to_hex(number), 39, '0') END $$;

CREATE FUNCTION bench_nobody(mint boolean) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS
$$ SELECT CASE WHEN mint THEN repeat('1', 32) ELSE '0x' || repeat('0', 40) END $$;

-- A market's escrow, which holds one NFT in twenty.
CREATE FUNCTION bench_escrow() RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS
$$ SELECT '0xe5c' || repeat('0', 37) $$;

-- The holder of an NFT after its k-th transfer: nobody twice, since fewer than half a million transfers share an NFT.
CREATE FUNCTION bench_holder(nft bigint, k bigint, mint boolean) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS
$$ SELECT bench_account(mod(bench_dice(nft, 90) + k * 7919, 500000) + 4096, mint) $$;
