// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// Owners without ERC-165, as NFTs had them before ERC-721 was final.
abstract contract Owners {
    mapping(uint256 => address) public ownerOf;
    mapping(address => uint256) public balanceOf;

    function assign(address to, uint256 tokenId) internal returns (address from) {
        from = ownerOf[tokenId];
        require(from == address(0) || from == msg.sender, "not the owner");
        if (from != address(0)) balanceOf[from]--;
        if (to != address(0)) balanceOf[to]++;
        ownerOf[tokenId] = to;
    }
}

/// As CryptoKitties: nothing in Transfer is indexed, all of it is data.
contract OldNft is Owners {
    event Transfer(address from, address to, uint256 tokenId);

    function mint(address to, uint256 tokenId) external {
        require(ownerOf[tokenId] == address(0), "minted before");
        emit Transfer(assign(to, tokenId), to, tokenId);
    }

    function transfer(address to, uint256 tokenId) external {
        emit Transfer(assign(to, tokenId), to, tokenId);
    }
}

/// From and to are indexed, the id is data: the log of an ERC-20 to the letter.
contract HalfIndexedNft is Owners {
    event Transfer(address indexed from, address indexed to, uint256 tokenId);

    function mint(address to, uint256 tokenId) external {
        require(ownerOf[tokenId] == address(0), "minted before");
        emit Transfer(assign(to, tokenId), to, tokenId);
    }

    function transfer(address to, uint256 tokenId) external {
        emit Transfer(assign(to, tokenId), to, tokenId);
    }
}

/// CryptoKitties, which can be put up for sale at the auction house in one call.
contract Kitties is OldNft {
    address constant HOUSE = 0xb1690C08E213a35Ed9bAb7B318DE14420FB57d8C;

    function createSaleAuction(uint256 kitty, uint256 start, uint256 end, uint256 duration) external {
        emit Transfer(assign(HOUSE, kitty), HOUSE, kitty);
        SaleClockAuction(HOUSE).createAuction(kitty, start, end, duration, msg.sender);
    }
}

/// The auction house of CryptoKitties, which has what it sells: the price goes from start to end, and stays there.
contract SaleClockAuction {
    event AuctionCreated(uint256 tokenId, uint256 startingPrice, uint256 endingPrice, uint256 duration);
    event AuctionSuccessful(uint256 tokenId, uint256 totalPrice, address winner);
    event AuctionCancelled(uint256 tokenId);

    struct Auction { address seller; uint256 startingPrice; uint256 endingPrice; uint256 duration; uint256 startedAt; }

    Kitties constant KITTIES = Kitties(0x06012c8cf97BEaD5deAe237070F9587f8E7A266d);
    mapping(uint256 => Auction) public getAuction;  // the real one reverts where there is none

    function createAuction(uint256 kitty, uint256 start, uint256 end, uint256 duration, address seller) external {
        require(msg.sender == address(KITTIES) && duration >= 1 minutes, "no such auction");
        getAuction[kitty] = Auction(seller, start, end, duration, block.timestamp);
        emit AuctionCreated(kitty, start, end, duration);
    }

    function bid(uint256 kitty) external payable {
        uint256 price = getCurrentPrice(kitty);
        require(msg.value >= price, "too little");
        delete getAuction[kitty];
        emit AuctionSuccessful(kitty, price, msg.sender);
        KITTIES.transfer(msg.sender, kitty);
    }

    function cancelAuction(uint256 kitty) external {
        require(getAuction[kitty].seller == msg.sender, "not the seller");
        delete getAuction[kitty];
        KITTIES.transfer(msg.sender, kitty);
        emit AuctionCancelled(kitty);
    }

    function getCurrentPrice(uint256 kitty) public view returns (uint256) {
        Auction memory one = getAuction[kitty];
        require(one.startedAt > 0, "no auction");
        uint256 passed = block.timestamp - one.startedAt;
        if (passed >= one.duration) return one.endingPrice;
        int256 change = (int256(one.endingPrice) - int256(one.startingPrice)) * int256(passed) / int256(one.duration);
        return uint256(int256(one.startingPrice) + change);
    }
}
