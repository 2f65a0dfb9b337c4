"""Order books that are signed off the chain, read from who keeps them: what an order says is computed, never believed.

A source has one module for its answers (``opensea``, ``reservoir``) and one class in ``sources``; ``seaport`` reads the
orders themselves, ``walking`` brings a contract's book into the tables.
"""
