"""Deciders: back ends of the port that decides events and holds the entries they change."""
