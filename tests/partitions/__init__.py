"""The hot tables of a made-up world, partitioned by chain and by contract: what pages cost there, and how."""
