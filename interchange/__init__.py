"""Facts from files and into them: lines of JSON, loaded in batches and dumped in an order of their own.

What a fact changes is decided by the rooms whose tables it fills.
"""
