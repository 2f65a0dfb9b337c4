// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// What CryptoPunks says and does, before there was an ERC-721: no ERC-165, no ownerOf, a Transfer of ERC-20's shape
/// beside each move. State and names are constants, so that its code also works at the real contract's address.
contract Punks {
    event Assign(address indexed to, uint256 punkIndex);
    event Transfer(address indexed from, address indexed to, uint256 value);
    event PunkTransfer(address indexed from, address indexed to, uint256 punkIndex);
    event PunkOffered(uint256 indexed punkIndex, uint256 minValue, address indexed toAddress);
    event PunkBidEntered(uint256 indexed punkIndex, uint256 value, address indexed fromAddress);
    event PunkBought(
        uint256 indexed punkIndex, uint256 value, address indexed fromAddress, address indexed toAddress
    );
    event PunkNoLongerForSale(uint256 indexed punkIndex);

    struct Offer { bool isForSale; uint256 punkIndex; address seller; uint256 minValue; address onlySellTo; }
    struct Bid { bool hasBid; uint256 punkIndex; address bidder; uint256 value; }

    string public constant name = "CRYPTOPUNKS";
    string public constant symbol = unicode"Ͼ";
    uint8 public constant decimals = 0;
    uint256 public constant totalSupply = 10000;
    mapping(uint256 => address) public punkIndexToAddress;
    mapping(address => uint256) public balanceOf;
    mapping(uint256 => Offer) public punksOfferedForSale;
    mapping(uint256 => Bid) public punkBids;
    mapping(address => uint256) public pendingWithdrawals;

    function setInitialOwner(address to, uint256 punkIndex) external {
        require(punkIndexToAddress[punkIndex] == address(0) && punkIndex < 10000, "assigned before");
        punkIndexToAddress[punkIndex] = to;
        balanceOf[to]++;
        emit Assign(to, punkIndex);
    }

    function transferPunk(address to, uint256 punkIndex) external virtual {
        mustOwn(punkIndex);
        if (punksOfferedForSale[punkIndex].isForSale) withdrawOffer(punkIndex);
        move(msg.sender, to, punkIndex);
        emit PunkTransfer(msg.sender, to, punkIndex);
    }

    function offerPunkForSale(uint256 punkIndex, uint256 minSalePriceInWei) external {
        offerPunkForSaleToAddress(punkIndex, minSalePriceInWei, address(0));
    }

    function offerPunkForSaleToAddress(uint256 punkIndex, uint256 minSalePriceInWei, address to) public {
        mustOwn(punkIndex);
        punksOfferedForSale[punkIndex] = Offer(true, punkIndex, msg.sender, minSalePriceInWei, to);
        emit PunkOffered(punkIndex, minSalePriceInWei, to);
    }

    function punkNoLongerForSale(uint256 punkIndex) external {
        mustOwn(punkIndex);
        withdrawOffer(punkIndex);
    }

    function buyPunk(uint256 punkIndex) external payable {
        Offer memory offer = punksOfferedForSale[punkIndex];
        require(offer.isForSale && msg.value >= offer.minValue, "not for sale");
        require(offer.onlySellTo == address(0) || offer.onlySellTo == msg.sender, "for somebody else");
        require(offer.seller == punkIndexToAddress[punkIndex], "the seller has it no more");
        move(offer.seller, msg.sender, punkIndex);
        withdrawOffer(punkIndex);
        pendingWithdrawals[offer.seller] += msg.value;
        emit PunkBought(punkIndex, msg.value, soldBy(offer.seller), msg.sender);
    }

    function enterBidForPunk(uint256 punkIndex) external payable {
        Bid memory before = punkBids[punkIndex];
        require(msg.value > before.value, "not above the last bid");
        pendingWithdrawals[before.bidder] += before.value;
        punkBids[punkIndex] = Bid(true, punkIndex, msg.sender, msg.value);
        emit PunkBidEntered(punkIndex, msg.value, msg.sender);
    }

    /// The defect is the real contract's: it reads the bid after having cleared it, so the event's value and buyer
    /// are zero.
    function acceptBidForPunk(uint256 punkIndex, uint256 minPrice) external {
        mustOwn(punkIndex);
        Bid storage bid = punkBids[punkIndex];
        require(bid.hasBid && bid.value >= minPrice, "no such bid");
        move(msg.sender, bid.bidder, punkIndex);
        punksOfferedForSale[punkIndex] = Offer(false, punkIndex, bid.bidder, 0, address(0));
        pendingWithdrawals[msg.sender] += bid.value;
        punkBids[punkIndex] = Bid(false, punkIndex, address(0), 0);
        emit PunkBought(punkIndex, bid.value, msg.sender, bid.bidder);
    }

    function soldBy(address seller) internal view virtual returns (address) {
        return seller;
    }

    function mustOwn(uint256 punkIndex) internal view {
        require(punkIndexToAddress[punkIndex] == msg.sender, "not the owner");
    }

    function withdrawOffer(uint256 punkIndex) private {
        punksOfferedForSale[punkIndex] = Offer(false, punkIndex, msg.sender, 0, address(0));
        emit PunkNoLongerForSale(punkIndex);
    }

    function move(address from, address to, uint256 punkIndex) internal {
        punkIndexToAddress[punkIndex] = to;
        balanceOf[from]--;
        balanceOf[to]++;
        emit Transfer(from, to, 1);
    }
}

/// V1: an offer outlives a transfer, and who bought is named as who sold.
contract PunksV1 is Punks {
    function transferPunk(address to, uint256 punkIndex) external override {
        mustOwn(punkIndex);
        move(msg.sender, to, punkIndex);
        emit PunkTransfer(msg.sender, to, punkIndex);
    }

    function soldBy(address) internal view override returns (address) {
        return msg.sender;
    }
}
