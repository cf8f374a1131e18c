"""Compares boards with official tables: real events go in, and what comes out is held against them.

The parts here know no set of data. An adapter does: it says which boards a set needs, what its
events are, and which official table each board must agree with.
"""
