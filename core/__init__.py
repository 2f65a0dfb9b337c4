"""The ground floor: what every room uses and what knows none of them.

Values, chains, addresses, batches, logs and the environment; below it the database, the net, REST and the admin's base.
It knows no app and no settings module; what speaks of NFTs does not belong here.
"""
