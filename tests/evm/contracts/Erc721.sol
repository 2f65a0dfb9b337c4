// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// ERC-721 with metadata and ERC-4906. Anybody may mint; an id that was burned comes back by `remint` alone.
contract Erc721 {
    event Transfer(address indexed from, address indexed to, uint256 indexed tokenId);
    event Approval(address indexed owner, address indexed approved, uint256 indexed tokenId);
    event ApprovalForAll(address indexed owner, address indexed operator, bool approved);
    event MetadataUpdate(uint256 _tokenId);
    event BatchMetadataUpdate(uint256 _fromTokenId, uint256 _toTokenId);

    string public name;
    string public symbol;
    string public baseURI = "https://example.org/erc721/";
    mapping(address => uint256) public balanceOf;
    mapping(uint256 => address) public getApproved;
    mapping(address => mapping(address => bool)) public isApprovedForAll;
    mapping(uint256 => bool) public burned;
    mapping(uint256 => address) private owners;

    constructor(string memory name_, string memory symbol_) {
        name = name_;
        symbol = symbol_;
    }

    function supportsInterface(bytes4 id) external pure returns (bool) {
        return id == 0x01ffc9a7 || id == 0x80ac58cd || id == 0x5b5e139f || id == 0x49064906;
    }

    function ownerOf(uint256 tokenId) public view returns (address owner) {
        owner = owners[tokenId];
        require(owner != address(0), "no such token");
    }

    function tokenURI(uint256 tokenId) external view returns (string memory) {
        ownerOf(tokenId);
        return string.concat(baseURI, decimal(tokenId));
    }

    function mint(address to, uint256 tokenId) public {
        require(owners[tokenId] == address(0) && !burned[tokenId], "minted before");
        move(address(0), to, tokenId);
    }

    function remint(address to, uint256 tokenId) external {
        require(burned[tokenId], "never burned");
        burned[tokenId] = false;
        move(address(0), to, tokenId);
    }

    function burn(uint256 tokenId) external {
        address owner = ownerOf(tokenId);
        mayMove(owner, tokenId);
        burned[tokenId] = true;
        move(owner, address(0), tokenId);
    }

    function approve(address to, uint256 tokenId) external {
        address owner = ownerOf(tokenId);
        require(msg.sender == owner || isApprovedForAll[owner][msg.sender], "not allowed");
        getApproved[tokenId] = to;
        emit Approval(owner, to, tokenId);
    }

    function setApprovalForAll(address operator, bool approved) external {
        isApprovedForAll[msg.sender][operator] = approved;
        emit ApprovalForAll(msg.sender, operator, approved);
    }

    function transferFrom(address from, address to, uint256 tokenId) public {
        require(ownerOf(tokenId) == from && to != address(0), "not the owner");
        mayMove(from, tokenId);
        move(from, to, tokenId);
    }

    function safeTransferFrom(address from, address to, uint256 tokenId) external {
        transferFrom(from, to, tokenId);
        require(to.code.length == 0 || accepts(from, to, tokenId), "refused by the receiver");
    }

    function setBaseURI(string calldata uri, uint256 fromTokenId, uint256 toTokenId) external {
        baseURI = uri;
        if (fromTokenId == toTokenId) emit MetadataUpdate(fromTokenId);
        else emit BatchMetadataUpdate(fromTokenId, toTokenId);
    }

    function mayMove(address owner, uint256 tokenId) private view {
        bool allowed = msg.sender == owner || isApprovedForAll[owner][msg.sender];
        require(allowed || getApproved[tokenId] == msg.sender, "not allowed");
    }

    function move(address from, address to, uint256 tokenId) private {
        delete getApproved[tokenId];
        if (from != address(0)) balanceOf[from]--;
        if (to != address(0)) balanceOf[to]++;
        owners[tokenId] = to;
        emit Transfer(from, to, tokenId);
    }

    function accepts(address from, address to, uint256 tokenId) private returns (bool) {
        bytes4 selector = bytes4(keccak256("onERC721Received(address,address,uint256,bytes)"));
        (bool ok, bytes memory answer) =
            to.call(abi.encodeWithSelector(selector, msg.sender, from, tokenId, ""));
        return ok && answer.length == 32 && abi.decode(answer, (bytes4)) == selector;
    }

    function decimal(uint256 number) private pure returns (string memory text) {
        if (number == 0) return "0";
        while (number > 0) {
            text = string.concat(string(abi.encodePacked(bytes1(uint8(48 + number % 10)))), text);
            number /= 10;
        }
    }
}
