"""Test tools, for us and for users: what drives the product from outside and judges its answers."""
