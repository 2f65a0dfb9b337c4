"""Clients generated from the description compile, and read live pages with the types that it promises."""

from __future__ import annotations

import compileall
import importlib
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from pytest_django.live_server_helper import LiveServer

from core.db.keys import UINT256_MAX
from tests.builders import APES, ask, contract, nft, rate, transfer
from tests.npm import Node, find_node, installed
from tests.operations.promises import given
from tests.patience import PATIENCE

PACKAGES = Path(__file__).parent / "npm"
BIG = str(UINT256_MAX)

# What the test loads is rolled back by emptying the tables; the chains and currencies of the migrations come back.
# One engine is enough: a client sees none.
pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.sqlite]

STRICT = {
    "strict": True,
    "noUncheckedIndexedAccess": True,
    "exactOptionalPropertyTypes": True,
    "target": "es2022",
    "module": "esnext",
    "moduleResolution": "bundler",
    "types": [],
}

USAGE = """
import createClient from "openapi-fetch";
import type { components, paths } from "./schema";

declare const process: { argv: string[] };
type Nft = components["schemas"]["Nft"];
const client = createClient<paths>({
  baseUrl: process.argv[2]!,
  querySerializer: { array: { style: "form", explode: false } },
});

const query = { contractAddress: "APES", sortBy: "tokenId-desc", includeLastTransfer: true } as const;
const found: Nft[] = [];
let cursor: string | undefined;
do {
  const { data, error } = await client.GET("/api/v1/nfts/by-token", {
    params: { query: { ...query, tokenId: ["1", "BIG"], limit: 1, ...(cursor && { cursor }) } },
  });
  if (error) throw new Error(error.errors.map(({ detail }) => detail).join());
  found.push(...data.data);
  cursor = data.nextCursor;
} while (cursor);
const owner: string = found[0]!.owner;
const rarity: number | undefined = found[0]!.rarity;
const kind: "mint" | "transfer" | "sale" | "swap" | "burn" | undefined = found[0]!.lastTransfer?.transferType;

const moved = await client.GET("/api/v1/transfers/by-token", { params: { query: { contractAddress: "APES" } } });
const blocks: number[] = moved.data!.data.map((transfer) => transfer.blockNumber);

const wrong = await client.GET("/api/v1/nfts/by-token", { params: { query: { limit: 31 } } });
const code: components["schemas"]["ParameterErrorCodeEnum"] | string | undefined = wrong.error?.errors[0]?.code;

// What is no part of the API does not compile.
export const refused = () => [
  // @ts-expect-error there is no such order
  client.GET("/api/v1/nfts/by-token", { params: { query: { sortBy: "price" } } }),
  // @ts-expect-error the contract is required
  client.GET("/api/v1/transfers/by-token", { params: { query: {} } }),
  // @ts-expect-error an NFT has no such field
  (nft: Nft) => nft.creator,
];
console.log(JSON.stringify({ ids: found.map((nft) => nft.tokenId), owner, rarity, kind, blocks, code }));
"""


@pytest.fixture
def address(live_server: LiveServer) -> str:
    """Where a service with two NFTs and their transfers answers."""
    given(
        contract(APES),
        rate("ETH"),
        nft("1", traits=[("Type", "Alien")], rarity=1.5),
        nft(BIG, traits=[("Type", "Ape")], rarity=2.5),
        transfer("1", block=1, transferType="mint"),
        transfer(BIG, block=2, transferType="mint"),
        ask("1", price="0.07"),
    )
    return str(live_server.url)


def run(*command: str | Path, cwd: Path) -> str:
    """What a command writes; it must succeed."""
    done = subprocess.run(
        list(map(str, command)), check=False, cwd=cwd, capture_output=True, text=True, timeout=PATIENCE
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def node() -> Node:
    """Node and npm of this machine."""
    return find_node()


@pytest.fixture(scope="module")
def packages(node: Node) -> Path:
    """The folder of the pinned npm packages, under var/."""
    return installed(node, PACKAGES, Path(settings.BASE_DIR) / "var" / "npm")


def test_a_typescript_client_compiles_and_reads_live_pages(
    address: str, node: Node, packages: Path, tmp_path: Path
) -> None:
    (tmp_path / "node_modules").symlink_to(packages / "node_modules")
    (tmp_path / "package.json").write_text('{"type": "module"}')
    (tmp_path / "tsconfig.json").write_text(json.dumps({"compilerOptions": STRICT, "files": ["usage.ts"]}))
    (tmp_path / "usage.ts").write_text(USAGE.replace("APES", APES).replace("BIG", BIG))
    modules = tmp_path / "node_modules"
    generator, compiler = modules / "openapi-typescript/bin/cli.js", modules / "typescript/bin/tsc"
    run(node.node, generator, f"{address}/api/v1/schema", "--output", "schema.ts", cwd=tmp_path)
    run(node.node, compiler, "--project", tmp_path, cwd=tmp_path)
    assert json.loads(run(node.node, "usage.js", address, cwd=tmp_path)) == {
        "ids": [BIG, "1"],
        "owner": "0x" + "a" * 40,
        "rarity": 2.5,
        "kind": "mint",
        "blocks": [2, 1],
        "code": "invalid",
    }


def test_a_python_client_compiles_and_reads_live_pages(
    address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    generator = Path(sys.executable).parent / "openapi-python-client"
    (tmp_path / "config.json").write_text('{"post_hooks": []}')  # it would lint what it writes
    command = [
        "generate",
        "--config",
        "config.json",
        "--url",
        f"{address}/api/v1/schema",
        "--meta",
        "none",
        "--fail-on-warning",
    ]
    run(generator, *command, "--output-path", tmp_path / "nft_client", cwd=tmp_path)
    assert compileall.compile_dir(tmp_path / "nft_client", quiet=1)
    monkeypatch.syspath_prepend(str(tmp_path))

    def member(module: str, name: str) -> Any:
        return getattr(importlib.import_module(f"nft_client.{module}"), name)

    with member("client", "Client")(base_url=address) as client:
        nfts = member("api.nfts.nfts_by_token", "sync")
        page = nfts(client=client, contract_address=APES, token_id=["1", BIG], limit=1)
        (first,) = page.data
        assert (first.token_id, first.owner, first.rarity) == (BIG, "0x" + "a" * 40, 2.5)
        assert first.metadata.traits[0].trait_value == "Ape"
        assert not first.native, "what is absent is falsy"
        rest = nfts(
            client=client, contract_address=APES, token_id=["1", BIG], limit=1, cursor=page.next_cursor
        )
        assert [record.token_id for record in rest.data] == ["1"]
        assert not rest.next_cursor
        transfers = member("api.transfers.transfers_by_token", "sync")(client=client, contract_address=APES)
        assert [transfer.block_number for transfer in transfers.data] == [2, 1]
        assert [str(transfer.transfer_type) for transfer in transfers.data] == ["mint", "mint"]
        refused = nfts(client=client, limit=31)
        assert [(error.code, error.attr) for error in refused.errors] == [("invalid", "limit")]
