// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// ERC-2309: ranges of ids are minted, and moved on, by one event; single ids move by ERC-721's.
contract Erc2309 {
    event Transfer(address indexed from, address indexed to, uint256 indexed tokenId);
    event ConsecutiveTransfer(
        uint256 indexed fromTokenId, uint256 toTokenId, address indexed fromAddress, address indexed toAddress
    );

    struct Range { uint256 first; uint256 last; address to; }

    string public constant name = "Consecutive";
    string public constant symbol = "CONS";
    mapping(address => uint256) public balanceOf;
    mapping(uint256 => address) private moved;
    mapping(uint256 => bool) private burned;
    Range[] private minted;

    /// `count` ids from 0 on; none when it is zero.
    constructor(address to, uint256 count) {
        if (count > 0) mintRange(to, 0, count - 1);
    }

    function supportsInterface(bytes4 id) external pure returns (bool) {
        return id == 0x01ffc9a7 || id == 0x80ac58cd || id == 0x5b5e139f;
    }

    function ownerOf(uint256 tokenId) public view returns (address owner) {
        owner = moved[tokenId];
        for (uint256 i = 0; owner == address(0) && i < minted.length; i++)
            if (minted[i].first <= tokenId && tokenId <= minted[i].last) owner = minted[i].to;
        require(owner != address(0) && !burned[tokenId], "no such token");
    }

    /// Ids `first` to `last`, both included.
    function mintRange(address to, uint256 first, uint256 last) public {
        require(first <= last, "an empty range");
        for (uint256 i = 0; i < minted.length; i++)
            require(last < minted[i].first || minted[i].last < first, "minted before");
        minted.push(Range(first, last, to));
        balanceOf[to] += last - first + 1;
        emit ConsecutiveTransfer(first, last, address(0), to);
    }

    function transferRange(address to, uint256 first, uint256 last) external {
        for (uint256 tokenId = first; tokenId <= last; tokenId++) move(to, tokenId);
        emit ConsecutiveTransfer(first, last, msg.sender, to);
    }

    function transferFrom(address from, address to, uint256 tokenId) external {
        require(from == msg.sender, "not allowed");
        move(to, tokenId);
        emit Transfer(from, to, tokenId);
    }

    function burn(uint256 tokenId) external {
        require(ownerOf(tokenId) == msg.sender, "not the owner");
        burned[tokenId] = true;
        balanceOf[msg.sender]--;
        emit Transfer(msg.sender, address(0), tokenId);
    }

    function move(address to, uint256 tokenId) private {
        require(ownerOf(tokenId) == msg.sender && to != address(0), "not the owner");
        moved[tokenId] = to;
        balanceOf[msg.sender]--;
        balanceOf[to]++;
    }
}
