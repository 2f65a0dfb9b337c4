"""What asks cost: exact prices, and what currencies are worth in a common one."""
