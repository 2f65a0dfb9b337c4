// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// No NFT, though its Transfer shares ERC-721's first topic.
contract Erc20 {
    event Transfer(address indexed from, address indexed to, uint256 value);

    string public constant name = "Coin";
    string public constant symbol = "COIN";
    uint8 public constant decimals = 18;
    uint256 public totalSupply;
    mapping(address => uint256) public balanceOf;

    function mint(address to, uint256 value) external {
        totalSupply += value;
        balanceOf[to] += value;
        emit Transfer(address(0), to, value);
    }

    function transfer(address to, uint256 value) external returns (bool) {
        balanceOf[msg.sender] -= value;
        balanceOf[to] += value;
        emit Transfer(msg.sender, to, value);
        return true;
    }
}

/// An ERC-20 that ERC-165 calls an ERC-721.
contract Erc20Liar is Erc20 {
    function supportsInterface(bytes4 id) external pure returns (bool) {
        return id == 0x01ffc9a7 || id == 0x80ac58cd;
    }
}
