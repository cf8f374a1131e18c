"""Reading the body of POST /v1/scores: what is bad in it costs nothing but itself."""

import msgspec

from toprung.api.batches import read_json
from toprung.wire.scores import EventIn

EVENT = {"board": "b", "player_id": "p", "points": 1, "event_id": "e"}


def test_an_event_may_carry_metadata():
    (event,) = read_json(msgspec.json.encode(EVENT | {"metadata": {"map": "dust"}})).items

    assert isinstance(event, EventIn)
    assert isinstance(event.metadata, msgspec.Raw)
    assert bytes(event.metadata) == b'{"map":"dust"}'
