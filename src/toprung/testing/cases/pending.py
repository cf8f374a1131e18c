"""The one list of cases that wait for something the product does not do yet."""

PENDING: dict[str, str] = {}
