// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// Many calls in one transaction; all of them or none.
contract Multicaller {
    function run(address[] calldata targets, bytes[] calldata calls) external {
        require(targets.length == calls.length, "unequal lengths");
        for (uint256 i = 0; i < targets.length; i++) {
            (bool ok, bytes memory answer) = targets[i].call(calls[i]);
            if (!ok) {
                assembly { revert(add(answer, 0x20), mload(answer)) }
            }
        }
    }
}
