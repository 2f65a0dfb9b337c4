"""A window of blocks into the database, in one transaction, through the ledger's gate; the checkpoint last."""
