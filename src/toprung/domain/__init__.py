"""The rules of a board, pure: no I/O, no clock, no dice.

Whatever decides what a score, a rank, a period or an outcome is stands here, once. The numbers
R1..R25 in the docstrings name the rules of the contract (see ``docs/concepts/rules.md``).
"""
