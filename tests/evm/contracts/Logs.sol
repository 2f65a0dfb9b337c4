// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// Emits any log at all.
contract RawLogs {
    function emitLog(bytes32[] memory topics, bytes memory data) public {
        uint256 count = topics.length;
        require(count <= 4, "more than four topics");
        assembly {
            let at := add(data, 0x20)
            let size := mload(data)
            let topic := add(topics, 0x20)
            switch count
            case 0 { log0(at, size) }
            case 1 { log1(at, size, mload(topic)) }
            case 2 { log2(at, size, mload(topic), mload(add(topic, 0x20))) }
            case 3 { log3(at, size, mload(topic), mload(add(topic, 0x20)), mload(add(topic, 0x40))) }
            default {
                log4(
                    at, size, mload(topic), mload(add(topic, 0x20)), mload(add(topic, 0x40)),
                    mload(add(topic, 0x60))
                )
            }
        }
    }
}

/// An ERC-1155 whose TransferBatch cannot be decoded.
contract WrongBatch is RawLogs {
    function supportsInterface(bytes4 id) external pure returns (bool) {
        return id == 0x01ffc9a7 || id == 0xd9b67a26;
    }

    /// Two ids, one amount.
    function unequal(address to) external {
        uint256[] memory ids = new uint256[](2);
        uint256[] memory amounts = new uint256[](1);
        (ids[0], ids[1], amounts[0]) = (1, 2, 3);
        batch(to, abi.encode(ids, amounts));
    }

    /// One id and one amount, the last word of them cut in half.
    function truncated(address to) external {
        batch(to, abi.encodePacked(uint256(0x40), uint256(0x80), uint256(1), uint256(1), uint256(1), uint128(0)));
    }

    /// Ids that are said to be 2^256 − 1 many, at an offset within the data.
    function endless(address to) external {
        batch(to, abi.encode(uint256(0x40), uint256(0x40), type(uint256).max));
    }

    /// Offsets far outside of the data.
    function astray(address to) external {
        batch(to, abi.encode(type(uint256).max, uint256(1) << 255));
    }

    /// No data at all.
    function empty(address to) external {
        batch(to, "");
    }

    function batch(address to, bytes memory data) private {
        bytes32[] memory topics = new bytes32[](4);
        topics[0] = keccak256("TransferBatch(address,address,address,uint256[],uint256[])");
        topics[1] = bytes32(uint256(uint160(msg.sender)));
        topics[3] = bytes32(uint256(uint160(to)));
        emitLog(topics, data);
    }
}
