// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// A zone of Seaport's that has to agree to each purchase, as one that wants its own server's signature: what it refuses
/// is in no log.
contract Zone {
    mapping(bytes32 => bool) public refused;

    function refuse(bytes32 orderHash, bool isRefused) external {
        refused[orderHash] = isRefused;
    }

    /// `authorizeOrder` and `validateOrder`, whose one argument begins with the order's hash: the selector is a yes.
    fallback() external {
        require(!refused[bytes32(msg.data[36:68])], "not signed");
        bytes32 yes = msg.sig;
        assembly ("memory-safe") {
            mstore(0, yes)
            return(0, 32)
        }
    }
}

/// An ERC-721 that approves OpenSea's conduit for everybody, without a log, until an owner takes that back; and that
/// lets Seaport itself move no third token, whoever approved it, as filters of operators do.
contract Welcoming {
    event Transfer(address indexed from, address indexed to, uint256 indexed tokenId);
    event ApprovalForAll(address indexed owner, address indexed operator, bool approved);

    address private constant CONDUIT = 0x1E0049783F008A0085193E00003D00cd54003c71;
    address private constant SEAPORT = 0x0000000000000068F116a894984e2DB1123eB395;

    string public name = "Welcoming";
    string public symbol = "WELCOME";
    mapping(uint256 => address) public ownerOf;
    mapping(address => mapping(address => bool)) private differing;

    function supportsInterface(bytes4 id) external pure returns (bool) {
        return id == 0x01ffc9a7 || id == 0x80ac58cd;
    }

    function getApproved(uint256) external pure returns (address) {
        return address(0);
    }

    function isApprovedForAll(address owner, address operator) public view returns (bool) {
        return differing[owner][operator] != (operator == CONDUIT);
    }

    function mint(address to, uint256 tokenId) external {
        move(address(0), to, tokenId);
    }

    function setApprovalForAll(address operator, bool approved) external {
        differing[msg.sender][operator] = approved != (operator == CONDUIT);
        emit ApprovalForAll(msg.sender, operator, approved);
    }

    function transferFrom(address from, address to, uint256 tokenId) external {
        require(from == ownerOf[tokenId] && to != address(0), "not the owner's");
        require(msg.sender == from || isApprovedForAll(from, msg.sender), "not allowed");
        require(msg.sender != SEAPORT || tokenId % 3 != 0, "filtered");
        move(from, to, tokenId);
    }

    function move(address from, address to, uint256 tokenId) private {
        ownerOf[tokenId] = to;
        emit Transfer(from, to, tokenId);
    }
}
