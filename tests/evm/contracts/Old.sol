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
