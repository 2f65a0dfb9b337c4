"""The loaded NFTs tenfold: nine copies of every NFT under other token ids, with all that hangs on it."""

from __future__ import annotations

from django.db import connection

COPIES = 9
BEYOND = 10**70
"""Token ids of copy k are moved by k times this: apart from all real ids, and still below 2**256."""

_COPY_OF_KEY = (
    "(SELECT lpad(length(id)::text, 2, '0') || id"
    " FROM (SELECT (substr({alias}.token_key, 3)::numeric + k * {beyond})::text AS id) copy)"
)
TABLES: dict[str, dict[str, str]] = {
    "tokens_nft": {"id": "{alias}.id + k * {nfts}", "token_key": _COPY_OF_KEY},
    "tokens_nftrecent": {
        "nft_id": "{alias}.nft_id + k * {nfts}",
        "token_key": _COPY_OF_KEY,
        "last_transfer_id": "{alias}.last_transfer_id + k * {transfers}",
    },
    "tokens_owner": {"id": "{alias}.id + k * {owners}", "nft_id": "{alias}.nft_id + k * {nfts}"},
    "tokens_nfttrait": {"nft_id": "{alias}.nft_id + k * {nfts}", "token_key": _COPY_OF_KEY},
    "tokens_nfttraitrecent": {"nft_id": "{alias}.nft_id + k * {nfts}"},
    "tokens_nftmarket": {"nft_id": "{alias}.nft_id + k * {nfts}", "token_key": _COPY_OF_KEY},
    "tokens_ask": {
        "id": "{alias}.id + k * {asks}",
        "nft_id": "{alias}.nft_id + k * {nfts}",
        "order_hash": "{alias}.order_hash || '-' || k",
    },
    "transfers_transfer": {
        "id": "{alias}.id + k * {transfers}",
        "nft_id": "{alias}.nft_id + k * {nfts}",
        "transaction_hash": "{alias}.transaction_hash || '-' || k",
    },
}


def multiply() -> None:
    """Copy every row of an NFT nine times (PostgreSQL), keep the counts true, and gather statistics."""
    with connection.cursor() as cursor:
        # Millions of foreign keys that hold by construction would be checked one by one at the next SET CONSTRAINTS.
        cursor.execute("SET LOCAL session_replication_role = replica")
        step = {
            name: _highest(cursor, table)
            for name, table in (
                ("nfts", "tokens_nft"),
                ("owners", "tokens_owner"),
                ("asks", "tokens_ask"),
                ("transfers", "transfers_transfer"),
            )
        }
        for table, changed in TABLES.items():
            cursor.execute(
                "SELECT column_name FROM information_schema.columns WHERE table_name = %s ORDER BY ordinal_position",
                [table],
            )
            columns = [name for (name,) in cursor.fetchall()]
            values = [
                changed[name].format(alias="source", beyond=BEYOND, **step)
                if name in changed
                else f"source.{name}"
                for name in columns
            ]
            cursor.execute(
                f"INSERT INTO {table} ({', '.join(columns)})"
                f" SELECT {', '.join(values)} FROM {table} source, generate_series(1, {COPIES}) k"
            )
        cursor.execute(f"UPDATE tokens_traitvalue SET count = count * {COPIES + 1}")
        cursor.execute(f"UPDATE tokens_contract SET nft_count = nft_count * {COPIES + 1}")
        cursor.execute("SET LOCAL session_replication_role = origin")
        cursor.execute("ANALYZE")


def _highest(cursor: object, table: str) -> int:
    cursor.execute(f"SELECT coalesce(max(id), 0) FROM {table}")  # type: ignore[attr-defined]
    (highest,) = cursor.fetchone()  # type: ignore[attr-defined]
    return int(highest)
