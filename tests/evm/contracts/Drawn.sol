// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// ERC-721 whose metadata is made on the chain, hidden until it is revealed (ERC-4906). Anybody may mint and reveal.
contract Drawn {
    event Transfer(address indexed from, address indexed to, uint256 indexed tokenId);
    event MetadataUpdate(uint256 _tokenId);
    event BatchMetadataUpdate(uint256 _fromTokenId, uint256 _toTokenId);

    string public name = "Drawn";
    string public symbol = "DRAWN";
    mapping(uint256 => address) public ownerOf;
    mapping(uint256 => bool) private revealed;
    bool private all;

    function supportsInterface(bytes4 id) external pure returns (bool) {
        return id == 0x01ffc9a7 || id == 0x80ac58cd || id == 0x5b5e139f || id == 0x49064906;
    }

    function mint(address to, uint256 first, uint256 last) external {
        for (uint256 id = first; id <= last; id++) {
            require(ownerOf[id] == address(0), "minted before");
            ownerOf[id] = to;
            emit Transfer(address(0), to, id);
        }
    }

    function reveal(uint256 tokenId) external {
        revealed[tokenId] = true;
        emit MetadataUpdate(tokenId);
    }

    function revealAll() external {
        all = true;
        emit BatchMetadataUpdate(0, type(uint256).max);
    }

    /// Level 1 of one in three tokens is rarer than level 0 of the others, and every token has a number of its own.
    function tokenURI(uint256 tokenId) external view returns (string memory) {
        require(ownerOf[tokenId] != address(0), "no such token");
        string memory number = decimal(tokenId);
        if (!all && !revealed[tokenId]) return string.concat('data:application/json;utf8,{"name":"Hidden #', number, '"}');
        return string.concat(
            'data:application/json;utf8,{"name":"Drawn #', number,
            '","attributes":[{"trait_type":"Level","value":', tokenId % 3 == 0 ? "1" : "0",
            '},{"trait_type":"Odd","value":"', tokenId % 2 == 1 ? "yes" : "no", '"}]}'
        );
    }

    function decimal(uint256 number) private pure returns (string memory text) {
        if (number == 0) return "0";
        while (number > 0) {
            text = string.concat(string(abi.encodePacked(bytes1(uint8(48 + number % 10)))), text);
            number /= 10;
        }
    }
}
