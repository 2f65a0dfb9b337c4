"""What each transfer of a transaction was: market events held against money and moves. Pure.

Each market is one module of `markets`; nothing here reads or writes a table.
"""
