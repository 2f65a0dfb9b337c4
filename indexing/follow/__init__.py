"""Drives indexing: from the checkpoint to the head, window by window, and back where the chain changed its mind."""
