"""The index of present holders, and postings of the NFTs that the widest have."""

# ruff: noqa: S608 - names of tables are written here
import django.db.models.deletion
import django.db.models.functions.comparison
from django.db import migrations, models

import core.db.fields

MANY = 1_000
"""NFTs up to which those of an address are read whole."""

FILL = """
    UPDATE tokens_owner SET
        contract_id = (SELECT n.contract_id FROM tokens_nft n WHERE n.id = tokens_owner.nft_id),
        known = EXISTS (
            SELECT 1 FROM tokens_nftrecent r WHERE r.nft_id = tokens_owner.nft_id AND r.owners_total IS NOT NULL
        )
"""
WIDEN = f"""
    INSERT INTO tokens_wideholder (address, nfts)
    SELECT address, 0 FROM tokens_owner WHERE amount > '010' AND known GROUP BY address HAVING count(*) > {MANY}
"""
POST = """
    INSERT INTO tokens_nftmarket
        (nft_id, market_id, contract_id, chain_id, traded, recent_key, token_key, rarity_key)
    SELECT r.nft_id, -2 * w.id - lists.asked, r.contract_id, r.chain_id, false, r.recent_key, r.token_key, n.rarity_key
    FROM tokens_wideholder w
    JOIN tokens_owner o ON o.address = w.address AND o.amount > '010' AND o.known
    JOIN tokens_nftrecent r ON r.nft_id = o.nft_id
    JOIN tokens_nft n ON n.id = r.nft_id
    CROSS JOIN (SELECT 0 AS asked UNION ALL SELECT 1) lists
    WHERE lists.asked = 0
        OR EXISTS (SELECT 1 FROM tokens_nftmarket p WHERE p.nft_id = r.nft_id AND p.market_id = 0)
"""
COUNT = """
    UPDATE tokens_wideholder
    SET nfts = (SELECT count(*) FROM tokens_nftmarket p WHERE p.market_id = -2 * tokens_wideholder.id)
"""


class Migration(migrations.Migration):
    dependencies = [
        ("tokens", "0008_traits_of_chains"),
    ]

    operations = [
        migrations.CreateModel(
            name="WideHolder",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("address", core.db.fields.KeyField(max_length=64, unique=True)),
                ("nfts", models.PositiveBigIntegerField(default=0, help_text="that it holds")),
            ],
            options={
                "verbose_name": "address with very many NFTs",
                "verbose_name_plural": "addresses with very many NFTs",
            },
        ),
        migrations.AddField(
            model_name="owner",
            name="contract",
            field=models.ForeignKey(
                db_constraint=False,
                db_index=False,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to="tokens.contract",
            ),
        ),
        migrations.AddField(
            model_name="owner",
            name="known",
            field=models.BooleanField(
                default=True,
                help_text="who holds the NFT is known: nobody gave more than is known to have come to him",
            ),
        ),
        migrations.RunSQL(FILL, migrations.RunSQL.noop),
        migrations.AlterField(
            model_name="owner",
            name="contract",
            field=models.ForeignKey(
                db_constraint=False,
                db_index=False,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to="tokens.contract",
            ),
        ),
        migrations.AddIndex(
            model_name="owner",
            index=models.Index(
                models.F("address"),
                django.db.models.functions.comparison.Coalesce("updated_at", 0),
                models.F("nft"),
                condition=models.Q(("amount__gt", 0), ("known", True)),
                include=("contract", "updated_at"),
                name="owner_by_address",
            ),
        ),
        migrations.AddIndex(
            model_name="owner",
            index=models.Index(
                condition=models.Q(("amount__gt", 0), ("known", True)),
                fields=["contract", "address", "nft"],
                name="owner_by_contract",
            ),
        ),
        migrations.RunSQL([WIDEN, POST, COUNT], "DELETE FROM tokens_nftmarket WHERE market_id < 0"),
    ]
