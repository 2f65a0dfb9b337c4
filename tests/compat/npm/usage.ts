import { Alchemy, NftFilters, NftOrdering, SortingOrder } from "alchemy-sdk";
import type { Nft, NftContract, NftSale, OwnedBaseNft, OwnedNft } from "alchemy-sdk";

const [url, contract, tokenId, owner] = process.argv.slice(2) as [string, string, string, string];
const { nft } = new Alchemy({ url, maxRetries: 1 });

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const item of items) found.push(item);
  return found;
}

async function sales(): Promise<NftSale[]> {
  const found: NftSale[] = [];
  let pageKey: string | undefined;
  do {
    const page = await nft.getNftSales({ contractAddress: contract, order: SortingOrder.DESCENDING, limit: 40, pageKey });
    found.push(...page.nftSales);
    pageKey = page.pageKey;
  } while (pageKey);
  return found;
}

const one: Nft = await nft.getNftMetadata(contract, tokenId, { refreshCache: false });
const batch = await nft.getNftMetadataBatch([tokenId, 1].map((id) => ({ contractAddress: contract, tokenId: id })));
const told: NftContract = await nft.getContractMetadata(contract);
const several = await nft.getContractMetadataBatch([contract, owner]);
const page = await nft.getNftsForContract(contract, { pageSize: 3 });
const bare = await nft.getNftsForContract(contract, { omitMetadata: true, pageSize: 100 });
const every = await all(nft.getNftsForContractIterator(contract));
const held = await nft.getNftsForOwner(owner, { orderBy: NftOrdering.TRANSFERTIME });
const heldHere = await nft.getNftsForOwner(owner, { contractAddresses: [contract], excludeFilters: [NftFilters.SPAM], omitMetadata: true });
const heldAll: (OwnedNft | OwnedBaseNft)[] = await all(nft.getNftsForOwnerIterator(owner));
const contracts = await nft.getContractsForOwner(owner, { pageSize: 50 });
const owners: string[] = (await nft.getOwnersForNft(contract, tokenId)).owners;
const ownersHere = await nft.getOwnersForContract(contract);
const balances = await nft.getOwnersForContract(contract, { withTokenBalances: true });
const isHolder: boolean = await nft.verifyNftOwnership(owner, contract);
const floor = await nft.getFloorPrice(contract);
const sold = await sales();
const rarities = (await nft.computeRarity(contract, tokenId)).rarities;
const summary = await nft.summarizeNftAttributes(contract);
const refused = await nft.getNftMetadata(contract, tokenId, { tokenUriTimeoutInMs: -1 }).then(() => "", (error: Error) => error.message);

// What their types do not have does not compile.
export const wrong = () => [
  // @ts-expect-error there is no such field
  (nft: Nft) => nft.creator,
  // @ts-expect-error a contract is needed
  nft.getNftMetadata(),
];
const first = sold[0];
console.log(JSON.stringify({
  one: { tokenId: one.tokenId, name: one.name, type: one.tokenType, attributes: one.raw.metadata.attributes?.length ?? 0 },
  batch: batch.nfts.map((found) => found.tokenId),
  contract: { name: told.name, supply: told.totalSupply, deployer: told.contractDeployer ?? "unknown" },
  several: several.contracts.length,
  page: page.nfts.length, pageKey: typeof page.pageKey, bare: bare.nfts.length, every: every.map((found) => found.tokenId),
  held: held.ownedNfts.map((found) => [found.tokenId, found.balance]), total: held.totalCount,
  heldHere: heldHere.ownedNfts.map((found) => found.tokenId), heldAll: heldAll.length,
  contracts: contracts.contracts.map((found) => [found.address, found.numDistinctTokensOwned, found.displayNft.tokenId]),
  owners, ownersHere: ownersHere.owners.length,
  balances: balances.owners.reduce((sum, found) => sum + found.tokenBalances.length, 0),
  isHolder, floor: "floorPrice" in floor.openSea ? floor.openSea.floorPrice : floor.openSea.error,
  sales: sold.map((found) => [found.tokenId, found.blockNumber, found.sellerFee.amount ?? null]),
  taker: first?.taker ?? null, marketplace: first?.marketplace ?? null,
  rarities: rarities.map((found) => [found.traitType, found.value, found.prevalence]),
  summary: summary.summary, supply: summary.totalSupply, refused,
}));
