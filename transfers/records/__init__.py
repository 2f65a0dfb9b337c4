"""The transfer record: rows as plain values, its serializer, cards and examples."""
