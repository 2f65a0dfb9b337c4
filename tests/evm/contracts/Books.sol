// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// Markets as far as their order books go: what they check, keep and say when something is listed, bought or taken
/// back. Money that a buyer brings stays where it is. They have no constructors: their code works at any address.
interface Nft {
    function ownerOf(uint256 id) external view returns (address);
    function isApprovedForAll(address owner, address operator) external view returns (bool);
    function transferFrom(address from, address to, uint256 id) external;
    function safeTransferFrom(address from, address to, uint256 id, uint256 amount, bytes calldata data) external;
}

/// Foundation: what has a price, or is in an auction, is in its custody.
contract BuyPrices {
    event BuyPriceSet(address indexed nft, uint256 indexed id, address indexed seller, uint256 price);
    event BuyPriceInvalidated(address indexed nft, uint256 indexed id);
    event BuyPriceCanceled(address indexed nft, uint256 indexed id);
    event BuyPriceAccepted(
        address indexed nft, uint256 indexed id, address indexed seller, address buyer,
        uint256 totalFees, uint256 creatorRev, uint256 sellerRev
    );

    struct Price { address seller; uint256 price; }
    struct Auction { address seller; address bidder; }

    mapping(address => mapping(uint256 => Price)) public getBuyPrice;
    mapping(address => mapping(uint256 => Auction)) public auctions;

    function setBuyPrice(address nft, uint256 id, uint256 price) external {
        Price storage standing = getBuyPrice[nft][id];
        Auction storage auction = auctions[nft][id];
        require(auction.bidder == address(0), "in auction");
        if (standing.seller == address(0) && auction.seller != msg.sender) {
            Nft(nft).transferFrom(msg.sender, address(this), id);
            standing.seller = msg.sender;
        }
        require(standing.seller == address(0) || standing.seller == msg.sender, "of somebody else");
        getBuyPrice[nft][id] = Price(msg.sender, price);
        emit BuyPriceSet(nft, id, msg.sender, price);
    }

    function cancelBuyPrice(address nft, uint256 id) external {
        require(getBuyPrice[nft][id].seller == msg.sender, "not the seller");
        delete getBuyPrice[nft][id];
        if (auctions[nft][id].seller == address(0)) Nft(nft).transferFrom(address(this), msg.sender, id);
        emit BuyPriceCanceled(nft, id);
    }

    function buy(address nft, uint256 id) external payable {
        Price memory price = getBuyPrice[nft][id];
        require(price.seller != address(0) && msg.value >= price.price, "not for sale");
        delete getBuyPrice[nft][id];
        delete auctions[nft][id];
        Nft(nft).transferFrom(address(this), msg.sender, id);
        emit BuyPriceAccepted(nft, id, price.seller, msg.sender, price.price / 20, 0, price.price - price.price / 20);
    }

    function createReserveAuction(address nft, uint256 id) external {
        require(auctions[nft][id].seller == address(0), "in auction");
        if (getBuyPrice[nft][id].seller != msg.sender) Nft(nft).transferFrom(msg.sender, address(this), id);
        auctions[nft][id].seller = msg.sender;
    }

    function placeBid(address nft, uint256 id) external payable {
        require(auctions[nft][id].seller != address(0), "no auction");
        auctions[nft][id].bidder = msg.sender;
        if (getBuyPrice[nft][id].seller == address(0)) return;
        delete getBuyPrice[nft][id];
        emit BuyPriceInvalidated(nft, id);
    }

    function finalizeReserveAuction(address nft, uint256 id) external {
        address bidder = auctions[nft][id].bidder;
        require(bidder != address(0), "no bid");
        delete auctions[nft][id];
        Nft(nft).transferFrom(address(this), bidder, id);
    }
}

/// Zora 3: who lets which module act.
contract ModuleManager {
    event ModuleApprovalSet(address indexed user, address indexed module, bool approved);

    mapping(address => mapping(address => bool)) public isModuleApproved;

    function setApprovalForModule(address module, bool approved) external {
        isModuleApproved[msg.sender][module] = approved;
        emit ModuleApprovalSet(msg.sender, module, approved);
    }
}

/// Zora 3: what sellers approve, so that a module that they approved as well may move their NFTs.
contract TransferHelper {
    ModuleManager constant MANAGER = ModuleManager(0x850A7c6fE2CF48eea1393554C8A3bA23f20CC401);

    function isModuleApproved(address user) public view returns (bool) {
        return MANAGER.isModuleApproved(user, msg.sender);
    }

    function transferFrom(address token, address from, address to, uint256 id) external {
        require(isModuleApproved(from), "module not approved");
        Nft(token).transferFrom(from, to, id);
    }
}

/// Zora 3: asks 1.1.
contract Asks {
    struct Ask {
        address seller; address sellerFundsRecipient; address askCurrency; uint16 findersFeeBps; uint256 askPrice;
    }

    event AskCreated(address indexed token, uint256 indexed id, Ask ask);
    event AskPriceUpdated(address indexed token, uint256 indexed id, Ask ask);
    event AskCanceled(address indexed token, uint256 indexed id, Ask ask);
    event AskFilled(address indexed token, uint256 indexed id, address indexed buyer, address finder, Ask ask);

    TransferHelper constant HELPER = TransferHelper(0x909e9efE4D87d1a6018C2065aE642b6D0447bc91);

    mapping(address => mapping(uint256 => Ask)) public askForNFT;

    function createAsk(address token, uint256 id, uint256 price, address currency) external {
        address owner = Nft(token).ownerOf(id);
        require(msg.sender == owner || Nft(token).isApprovedForAll(owner, msg.sender), "not the owner");
        require(HELPER.isModuleApproved(msg.sender), "module not approved");
        require(Nft(token).isApprovedForAll(owner, address(HELPER)), "helper not approved");
        if (askForNFT[token][id].seller != address(0)) cancel(token, id);
        askForNFT[token][id] = Ask(owner, owner, currency, 0, price);
        emit AskCreated(token, id, askForNFT[token][id]);
    }

    function setAskPrice(address token, uint256 id, uint256 price, address currency) external {
        Ask storage ask = askForNFT[token][id];
        require(ask.seller == msg.sender, "not the seller");
        ask.askPrice = price;
        ask.askCurrency = currency;
        emit AskPriceUpdated(token, id, ask);
    }

    function cancelAsk(address token, uint256 id) external {
        address seller = askForNFT[token][id].seller;
        require(seller != address(0), "no ask");
        require(msg.sender == seller || msg.sender == Nft(token).ownerOf(id), "not the seller");
        cancel(token, id);
    }

    function fillAsk(address token, uint256 id) external payable {
        Ask memory ask = askForNFT[token][id];
        require(ask.seller != address(0), "no ask");
        HELPER.transferFrom(token, ask.seller, msg.sender, id);
        emit AskFilled(token, id, msg.sender, address(0), ask);
        delete askForNFT[token][id];
    }

    function cancel(address token, uint256 id) private {
        emit AskCanceled(token, id, askForNFT[token][id]);
        delete askForNFT[token][id];
    }
}

/// SuperRare: a price for everybody and one for each buyer who has his own; taking one back does not say which.
contract Bazaar {
    event SetSalePrice(
        address indexed origin, address indexed currency, address target, uint256 amount, uint256 id,
        address[] splitRecipients, uint8[] splitRatios
    );
    event Sold(
        address indexed origin, address indexed buyer, address indexed seller, address currency, uint256 amount,
        uint256 id
    );
    event AcceptOffer(
        address indexed origin, address indexed buyer, address indexed seller, address currency, uint256 amount,
        uint256 id, address[] splitRecipients, uint8[] splitRatios
    );

    struct SalePrice { address seller; address currency; uint256 amount; }

    mapping(address => mapping(uint256 => mapping(address => SalePrice))) public tokenSalePrices;

    function setSalePrice(address origin, uint256 id, uint256 amount, address target) external {
        require(Nft(origin).ownerOf(id) == msg.sender, "not the owner");
        require(Nft(origin).isApprovedForAll(msg.sender, address(this)), "not approved");
        tokenSalePrices[origin][id][target] = SalePrice(msg.sender, address(0), amount);
        emit SetSalePrice(origin, address(0), target, amount, id, new address[](1), new uint8[](1));
    }

    function removeSalePrice(address origin, uint256 id, address target) external {
        require(Nft(origin).ownerOf(id) == msg.sender, "not the owner");
        delete tokenSalePrices[origin][id][target];
        emit SetSalePrice(origin, address(0), address(0), 0, id, new address[](0), new uint8[](0));
    }

    function buy(address origin, uint256 id) external payable {
        SalePrice memory price = tokenSalePrices[origin][id][msg.sender];
        if (price.amount == 0) price = tokenSalePrices[origin][id][address(0)];
        require(price.amount > 0 && msg.value >= price.amount, "not for sale");
        require(Nft(origin).ownerOf(id) == price.seller, "the seller has it no more");
        delete tokenSalePrices[origin][id][msg.sender];
        delete tokenSalePrices[origin][id][address(0)];
        Nft(origin).transferFrom(price.seller, msg.sender, id);
        emit Sold(origin, msg.sender, price.seller, price.currency, price.amount, id);
    }

    function acceptOffer(address origin, uint256 id, address bidder, uint256 amount) external {
        require(Nft(origin).ownerOf(id) == msg.sender, "not the owner");
        delete tokenSalePrices[origin][id][address(0)];
        Nft(origin).transferFrom(msg.sender, bidder, id);
        emit AcceptOffer(
            origin, bidder, msg.sender, address(0), amount, id, new address[](1), new uint8[](1)
        );
    }
}

/// Decentraland: one order for each NFT; the next one takes its place without a word.
contract Marketplace {
    event OrderCreated(
        bytes32 id, uint256 indexed assetId, address indexed seller, address nft, uint256 price, uint256 expiresAt
    );
    event OrderSuccessful(
        bytes32 id, uint256 indexed assetId, address indexed seller, address nft, uint256 price,
        address indexed buyer
    );
    event OrderCancelled(bytes32 id, uint256 indexed assetId, address indexed seller, address nft);

    struct Order { bytes32 id; address seller; address nft; uint256 price; uint256 expiresAt; }

    mapping(address => mapping(uint256 => Order)) public orderByAssetId;

    function createOrder(address nft, uint256 assetId, uint256 price, uint256 expiresAt) external {
        require(Nft(nft).ownerOf(assetId) == msg.sender, "not the owner");
        require(Nft(nft).isApprovedForAll(msg.sender, address(this)), "not approved");
        require(price > 0 && expiresAt > block.timestamp + 1 minutes, "no such order");
        bytes32 id = keccak256(abi.encodePacked(block.timestamp, msg.sender, assetId, nft, price));
        orderByAssetId[nft][assetId] = Order(id, msg.sender, nft, price, expiresAt);
        emit OrderCreated(id, assetId, msg.sender, nft, price, expiresAt);
    }

    function cancelOrder(address nft, uint256 assetId) external {
        Order memory order = orderByAssetId[nft][assetId];
        require(order.seller == msg.sender, "not the seller");
        delete orderByAssetId[nft][assetId];
        emit OrderCancelled(order.id, assetId, msg.sender, nft);
    }

    function executeOrder(address nft, uint256 assetId) external {
        Order memory order = orderByAssetId[nft][assetId];
        require(order.id != 0 && block.timestamp < order.expiresAt, "not for sale");
        require(Nft(nft).ownerOf(assetId) == order.seller, "the seller has it no more");
        delete orderByAssetId[nft][assetId];
        Nft(nft).transferFrom(order.seller, msg.sender, assetId);
        emit OrderSuccessful(order.id, assetId, order.seller, nft, order.price, msg.sender);
    }
}

/// Manifold: listings at a fixed price, in custody, of one token or of lots of units.
contract Listings {
    event CreateListingTokenDetails(uint40 indexed listingId, uint256 id, address token, uint8 spec, bool lazy);
    event ModifyListing(uint40 indexed listingId, uint256 initialAmount, uint48 startTime, uint48 endTime);
    event PurchaseEvent(uint40 indexed listingId, address referrer, address buyer, uint24 count, uint256 amount);
    event CancelListing(uint40 indexed listingId, address requestor, uint16 holdbackBPS);
    event FinalizeListing(uint40 indexed listingId);

    bytes32 constant CREATE_LISTING = keccak256(
        "CreateListing(uint40,uint16,uint16,uint8,uint24,uint24,uint48,uint48,uint256,uint16,uint16,address,address)"
    );

    struct Listing {
        address seller; address token; uint256 id; uint24 total; uint24 perSale; uint48 start; uint48 end;
        uint256 price; address verifier; uint24 sold; bool isOver;
    }

    uint40 public count;
    mapping(uint40 => Listing) public listings;

    /// `total` 0: the one of an ERC-721. `start` 0: open at once, and `end` seconds long from its first purchase on.
    function createListing(
        address token, uint256 id, uint24 total, uint24 perSale, uint48 start, uint48 end, uint256 price,
        address verifier
    ) external {
        Listing storage one = listings[++count];
        (one.seller, one.token, one.id, one.total, one.perSale) = (msg.sender, token, id, total, perSale);
        (one.start, one.end, one.price, one.verifier) = (start, end, price, verifier);
        give(one, msg.sender, address(this), total);
        uint24 available = total == 0 ? 1 : total;
        bytes memory data = bytes.concat(
            abi.encode(0, 0, 2, available, perSale, start), abi.encode(end, price, 0, 0, 0, verifier)
        );
        (bytes32 topic, uint256 listing) = (CREATE_LISTING, count);
        assembly { log2(add(data, 0x20), mload(data), topic, listing) }
        emit CreateListingTokenDetails(count, id, token, total == 0 ? 1 : 2, false);
    }

    function modifyListing(uint40 number, uint256 price, uint48 start, uint48 end) external {
        Listing storage one = listings[number];
        require(one.seller == msg.sender && !one.isOver && one.sold == 0, "not to be changed");
        (one.price, one.start, one.end) = (price, start, end);
        emit ModifyListing(number, price, start, end);
    }

    function purchase(uint40 number, uint24 lots) external payable {
        Listing storage one = listings[number];
        require(one.seller != address(0) && !one.isOver && block.timestamp >= one.start, "not open");
        require(one.verifier == address(0) || one.verifier == msg.sender, "for somebody else");
        if (one.start == 0) {
            one.start = uint48(block.timestamp);
            one.end += one.start;
        }
        require(block.timestamp < one.end && msg.value >= one.price * lots, "not for sale");
        one.sold += lots * one.perSale;
        require(one.sold <= (one.total == 0 ? 1 : one.total), "sold out");
        give(one, address(this), msg.sender, one.total == 0 ? 0 : lots * one.perSale);
        emit PurchaseEvent(number, address(0), msg.sender, lots, one.price * lots);
    }

    function cancel(uint40 number) external {
        require(listings[number].seller == msg.sender, "not the seller");
        giveBack(number);
        emit CancelListing(number, msg.sender, 0);
    }

    function finalize(uint40 number) external {
        Listing storage one = listings[number];
        require(one.start > 0 && block.timestamp >= one.end, "not at its end");
        giveBack(number);
        emit FinalizeListing(number);
    }

    function giveBack(uint40 number) private {
        Listing storage one = listings[number];
        require(!one.isOver, "over");
        one.isOver = true;
        if (one.total == 0 ? one.sold == 0 : one.sold < one.total) {
            give(one, address(this), one.seller, one.total - (one.total == 0 ? 0 : one.sold));
        }
    }

    function give(Listing storage one, address from, address to, uint24 units) private {
        if (one.total == 0) Nft(one.token).transferFrom(from, to, one.id);
        else Nft(one.token).safeTransferFrom(from, to, one.id, units, "");
    }
}

/// Sudoswap 2: pools on a linear curve, each an owner's, and their factory.
contract PairFactory {
    event NewERC721Pair(address indexed poolAddress, uint256[] initialIds);
    event NFTDeposit(address indexed poolAddress, uint256[] ids);

    Pair[] public pairs;

    function createPair(address nft, uint256 spot, uint256 delta, uint256[] calldata ids) external {
        Pair pair = new Pair(msg.sender, Nft(nft), spot, delta);
        pairs.push(pair);
        for (uint256 i = 0; i < ids.length; i++) Nft(nft).transferFrom(msg.sender, address(pair), ids[i]);
        emit NewERC721Pair(address(pair), ids);
    }

    function depositNFTs(address nft, uint256[] calldata ids, address pair) external {
        for (uint256 i = 0; i < ids.length; i++) Nft(nft).transferFrom(msg.sender, pair, ids[i]);
        emit NFTDeposit(pair, ids);
    }
}

contract Pair {
    event SpotPriceUpdate(uint128 newSpotPrice);
    event DeltaUpdate(uint128 newDelta);
    event SwapNFTOutPair(uint256 amountIn, uint256[] ids);
    event SwapNFTInPair(uint256 amountOut, uint256[] ids);
    event NFTWithdrawal(uint256[] ids);

    address public owner;
    Nft public nft;
    uint256 public spotPrice;
    uint256 public delta;

    constructor(address owner_, Nft nft_, uint256 spot, uint256 delta_) {
        (owner, nft, spotPrice, delta) = (owner_, nft_, spot, delta_);
    }

    function getBuyNFTQuote(uint256, uint256 items) public view returns (
        uint8 fault, uint256 newSpotPrice, uint256 newDelta, uint256 inputAmount, uint256 fee, uint256 royalty
    ) {
        newSpotPrice = spotPrice + delta * items;
        if (newSpotPrice > type(uint128).max) return (2, 0, 0, 0, 0, 0);
        inputAmount = items * (spotPrice + delta) + items * (items - 1) / 2 * delta;
        fee = inputAmount / 200;
        return (0, newSpotPrice, delta, inputAmount + fee, fee, 0);
    }

    function swapTokenForSpecificNFTs(uint256[] calldata ids) external payable {
        (uint8 fault, uint256 newSpotPrice,, uint256 inputAmount,,) = getBuyNFTQuote(0, ids.length);
        require(fault == 0 && msg.value >= inputAmount, "too little");
        setSpotPrice(newSpotPrice);
        for (uint256 i = 0; i < ids.length; i++) nft.transferFrom(address(this), msg.sender, ids[i]);
        emit SwapNFTOutPair(inputAmount, ids);
    }

    function swapNFTsForToken(uint256[] calldata ids) external {
        uint256 fall = delta * ids.length;
        setSpotPrice(spotPrice > fall ? spotPrice - fall : 0);
        for (uint256 i = 0; i < ids.length; i++) nft.transferFrom(msg.sender, address(this), ids[i]);
        emit SwapNFTInPair(0, ids);
    }

    function changeSpotPrice(uint256 spot) external {
        require(msg.sender == owner, "not the owner");
        setSpotPrice(spot);
    }

    function changeDelta(uint256 newDelta) external {
        require(msg.sender == owner, "not the owner");
        delta = newDelta;
        emit DeltaUpdate(uint128(newDelta));
    }

    function withdrawERC721(uint256[] calldata ids) external {
        require(msg.sender == owner, "not the owner");
        for (uint256 i = 0; i < ids.length; i++) nft.transferFrom(address(this), owner, ids[i]);
        emit NFTWithdrawal(ids);
    }

    function setSpotPrice(uint256 spot) private {
        if (spot == spotPrice) return;
        spotPrice = spot;
        emit SpotPriceUpdate(uint128(spot));
    }
}
