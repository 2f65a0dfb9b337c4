// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// ERC-1155 with metadata. Receivers are not asked, so that tests may send to any address.
contract Erc1155 {
    event TransferSingle(
        address indexed operator, address indexed from, address indexed to, uint256 id, uint256 value
    );
    event TransferBatch(
        address indexed operator, address indexed from, address indexed to, uint256[] ids, uint256[] values
    );
    event ApprovalForAll(address indexed account, address indexed operator, bool approved);
    event URI(string value, uint256 indexed id);

    string public name = "Many";
    string public symbol = "MANY";
    mapping(address => mapping(uint256 => uint256)) private balances;
    mapping(address => mapping(address => bool)) public isApprovedForAll;
    mapping(uint256 => string) public uri;

    function supportsInterface(bytes4 id) external pure returns (bool) {
        return id == 0x01ffc9a7 || id == 0xd9b67a26 || id == 0x0e89341c;
    }

    function balanceOf(address account, uint256 id) public view returns (uint256) {
        return balances[account][id];
    }

    function balanceOfBatch(address[] calldata accounts, uint256[] calldata ids)
        external view returns (uint256[] memory amounts)
    {
        require(accounts.length == ids.length, "unequal lengths");
        amounts = new uint256[](ids.length);
        for (uint256 i = 0; i < ids.length; i++) amounts[i] = balances[accounts[i]][ids[i]];
    }

    function mint(address to, uint256 id, uint256 amount) external {
        balances[to][id] += amount;
        emit TransferSingle(msg.sender, address(0), to, id, amount);
    }

    function mintBatch(address to, uint256[] calldata ids, uint256[] calldata amounts) external {
        moveAll(address(0), to, ids, amounts);
    }

    function burn(address from, uint256 id, uint256 amount) external {
        mayMove(from);
        balances[from][id] -= amount;
        emit TransferSingle(msg.sender, from, address(0), id, amount);
    }

    function burnBatch(address from, uint256[] calldata ids, uint256[] calldata amounts) external {
        mayMove(from);
        moveAll(from, address(0), ids, amounts);
    }

    function safeTransferFrom(address from, address to, uint256 id, uint256 amount, bytes calldata) external {
        require(to != address(0), "to nobody");
        mayMove(from);
        balances[from][id] -= amount;
        balances[to][id] += amount;
        emit TransferSingle(msg.sender, from, to, id, amount);
    }

    function safeBatchTransferFrom(
        address from, address to, uint256[] calldata ids, uint256[] calldata amounts, bytes calldata
    ) external {
        require(to != address(0), "to nobody");
        mayMove(from);
        moveAll(from, to, ids, amounts);
    }

    function setApprovalForAll(address operator, bool approved) external {
        isApprovedForAll[msg.sender][operator] = approved;
        emit ApprovalForAll(msg.sender, operator, approved);
    }

    function setURI(uint256 id, string calldata value) external {
        uri[id] = value;
        emit URI(value, id);
    }

    function mayMove(address from) private view {
        require(msg.sender == from || isApprovedForAll[from][msg.sender], "not allowed");
    }

    function moveAll(address from, address to, uint256[] calldata ids, uint256[] calldata amounts) private {
        require(ids.length == amounts.length, "unequal lengths");
        for (uint256 i = 0; i < ids.length; i++) {
            if (from != address(0)) balances[from][ids[i]] -= amounts[i];
            if (to != address(0)) balances[to][ids[i]] += amounts[i];
        }
        emit TransferBatch(msg.sender, from, to, ids, amounts);
    }
}
