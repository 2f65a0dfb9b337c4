// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// The part of ENS's registry that a look-up reads (EIP-137). Anybody may write.
contract EnsRegistry {
    mapping(bytes32 => address) public resolver;

    function setResolver(bytes32 node, address resolver_) external {
        resolver[node] = resolver_;
    }
}

/// A resolver of addresses (EIP-137); zero for a name that it was never told.
contract EnsResolver {
    mapping(bytes32 => address) public addr;

    function supportsInterface(bytes4 id) external pure returns (bool) {
        return id == 0x01ffc9a7 || id == 0x3b3b57de;
    }

    function setAddr(bytes32 node, address account) external {
        addr[node] = account;
    }
}

/// Wants its caller to ask a server (EIP-3668), by `addr` and by ENSIP-10's `resolve`.
contract OffchainResolver {
    error OffchainLookup(address sender, string[] urls, bytes callData, bytes4 callbackFunction, bytes extraData);

    function supportsInterface(bytes4 id) external pure returns (bool) {
        return id == 0x01ffc9a7 || id == 0x3b3b57de || id == 0x9061b923;
    }

    function addr(bytes32) external view returns (address) {
        askServer(msg.data);
    }

    function resolve(bytes calldata, bytes calldata data) external view returns (bytes memory) {
        askServer(data);
    }

    function answered(bytes calldata response, bytes calldata) external pure returns (address) {
        return abi.decode(response, (address));
    }

    function askServer(bytes memory data) private view {
        string[] memory urls = new string[](1);
        urls[0] = "https://gateway.example.org/{sender}/{data}.json";
        revert OffchainLookup(address(this), urls, data, this.answered.selector, "");
    }
}

/// Never answers: it loops until the gas is gone.
contract EndlessResolver {
    function addr(bytes32) external view returns (address) {
        while (gasleft() > 0) {}
        return address(0);
    }
}
