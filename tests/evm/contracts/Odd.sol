// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// Emits ERC-721 transfers, so that an indexer takes notice of the contract; the rest is each contract's oddity.
abstract contract Minting {
    event Transfer(address indexed from, address indexed to, uint256 indexed tokenId);

    function mint(address to, uint256 tokenId) external {
        emit Transfer(address(0), to, tokenId);
    }
}

/// Every view reverts, with a reason.
contract Reverting is Minting {
    fallback() external {
        revert("nothing to see here");
    }
}

/// Burns all the gas that it is given: by a loop, and by an invalid instruction.
contract GasBurner is Minting {
    function name() external view returns (string memory) {
        while (gasleft() > 0) {}
        return "";
    }

    function symbol() external pure returns (string memory) {
        assembly ("memory-safe") { invalid() }
    }

    function supportsInterface(bytes4) external view returns (bool) {
        while (gasleft() > 0) {}
        return false;
    }
}

/// Says yes to every interface, 0xffffffff among them, which ERC-165 forbids.
contract Liar is Minting {
    function supportsInterface(bytes4) external pure returns (bool) {
        return true;
    }
}

/// Names that are no UTF-8.
contract BadUtf8 is Minting {
    function name() external pure returns (string memory) {
        bytes memory raw = hex"4170c3286573ff00fe";
        return string(raw);
    }

    function symbol() external pure returns (string memory) {
        bytes memory raw = hex"eda080"; // a surrogate, as CESU-8 has it
        return string(raw);
    }
}

/// Names of the time before `string`: bytes32, padded by zeros. The symbol is no UTF-8 either.
contract Bytes32Names is Minting {
    bytes32 public constant name = "Maker of old";
    bytes32 public constant symbol = hex"4d4b52ff";
}

/// A name of one megabyte (2^20 letters A).
contract HugeName is Minting {
    string public constant symbol = "HUGE";

    function name() external pure returns (string memory) {
        assembly {
            mstore(0, 0x20)
            mstore(0x20, 0x100000)
            let letters := mul(0x41, div(not(0), 0xff))
            for { let at := 0x40 } lt(at, 0x100040) { at := add(at, 0x20) } { mstore(at, letters) }
            return(0, 0x100040)
        }
    }
}

/// Strings whose head points outside of the answer, or whose length is longer than it.
contract BrokenNames is Minting {
    function name() external pure returns (string memory) {
        assembly {
            mstore(0, shl(255, 1))
            return(0, 0x20)
        }
    }

    function symbol() external pure returns (string memory) {
        assembly {
            mstore(0, 0x20)
            mstore(0x20, not(0))
            mstore(0x40, "ABC")
            return(0, 0x60)
        }
    }
}
