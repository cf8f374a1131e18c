"""What the use cases need of the world outside, as protocols.

Back ends implement them; every one passes the conformance suite of its port in ``toprung.testing``
unchanged.
"""
