"""Plays the cases of a file against a running product and compares what it answers.

A case is a board, events in order of delivery, and questions with the answers that the rules give.
Everything goes through the public HTTP API and the public command line, so that any server can be
asked: one of this machine, started for the occasion, or one elsewhere.
"""
