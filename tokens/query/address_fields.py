"""Form fields of addresses: contracts and owners, each by address or by ENS name."""

from __future__ import annotations

from django.core.exceptions import ValidationError

from core.addresses import is_collection_address, is_evm_address, normalise_evm_address
from core.chains import EVM, MINT, ChainKind
from core.rest.fields import ParameterField, Postponed, ScalarField, fault, text_schema
from core.rest.parameters import quoted
from tokens.ens import names as ens
from tokens.ens import node as ens_node
from tokens.query.names import Names
from tokens.query.selection import ContractRef, OwnerRef

_NAME = r"[^,\u0000]*\.[^,\u0000]*"


class NamingField(ParameterField):
    """A field whose values name rows of small tables; the filter set gives it the look-ups of its query."""

    names: Names


class AddressField(ScalarField, NamingField):
    """An address of an EVM chain or of a mint-identified one, or an ENS name."""

    max_length = ens.MAX_NAME_LENGTH
    title, brief = "Contract", "An address, or an ENS name."
    schema = text_schema(f"0[xX][0-9a-fA-F]{{40}}|[0-9A-Za-z]{{32,44}}|{_NAME}", max_length)
    kinds: str
    """What is wanted, for the message of one that is none."""

    def read_address(self, text: str) -> tuple[ChainKind, str | None]:
        """Return the kind of chain, and the address as it is kept: ``None`` for a name that resolves to nothing."""
        if is_evm_address(text):
            return EVM, normalise_evm_address(text)
        if ens.is_name(text):
            return EVM, self._address_of(text)
        # Base58 has no zero, so what starts like an EVM address is one with a typing error.
        if is_collection_address(text) and text[:2].lower() != "0x":
            return MINT, text
        raise fault(f"{quoted(text)} is no {self.kinds}, or an ENS name.")

    def _address_of(self, text: str) -> str | None:
        try:
            name = ens.normalised(text)
        except ValueError as error:
            raise fault(f"{quoted(text)} is no ENS name: {error}.") from None
        answer = self.names.ens_answer(name)
        if answer is None:
            raise self._unanswered(name)
        if answer.is_offchain:
            message = (
                f"The ENS name {quoted(name)} is resolved by a server (CCIP-Read, EIP-3668), "
                "which is not asked: give the address."
            )
            raise fault(message, "ens_unsupported")
        return answer.address

    def _unanswered(self, name: str) -> ValidationError:
        if not ens_node.is_configured():
            message = (
                f"The ENS name {quoted(name)} is not known here, and no node is configured to resolve it."
            )
            return fault(message, "ens_unavailable")
        if self.names.is_ambiguous:
            return fault(f"The ENS name {quoted(name)} is one of several that are not known here: give one.")
        return Postponed(f"The ENS name {quoted(name)} has not been looked up.")


class ContractField(AddressField):
    """A contract by EVM address, by collection address, or by ENS name."""

    kinds = "contract address: 0x and 40 hexadecimal digits, a collection's address of 32 to 44 letters and digits"
    prose = (
        "The contract: an EVM address in any letter case, the address of a collection on a mint-identified chain (32 "
        "to 44 letters and digits, case sensitive), or an ENS name (name.eth), which stands for its address on every "
        "EVM chain. One that is not known, and a name that resolves to nothing, has no NFTs."
    )
    example = "0xb47e3cd837ddf8e4c57f05d70ab865de6e193bbb"

    def read(self, text: str) -> ContractRef:
        """Return the contract meant. Whether it is known is no matter of syntax: an unknown one has no NFTs."""
        return ContractRef(*self.read_address(text))


class OwnerField(AddressField):
    """Who holds an NFT now, by EVM address, by address on a mint-identified chain, or by ENS name."""

    title = "Owner"
    kinds = "address of an owner: 0x and 40 hexadecimal digits, 32 to 44 letters and digits in base58"
    prose = (
        "Only NFTs that this address holds now, any units of them: an EVM address in any letter case, an address on a "
        "mint-identified chain (32 to 44 letters and digits, case sensitive), or an ENS name (name.eth), which stands "
        "for its address on every EVM chain. One that holds none, and a name that resolves to nothing, has no item. An "
        "addition to the specification."
    )
    example = "0x3c2e8b4f8505107555272713256fdaad019a255d"

    def read(self, text: str) -> OwnerRef:
        _, address = self.read_address(text)
        return OwnerRef(address)
