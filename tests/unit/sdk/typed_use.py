"""How callers use the SDK, for the type checker: checked by test_typing.py, never run.

An ``ignore`` that is not needed is an error as well, so the wrong lines are proven wrong.
"""

from collections.abc import AsyncIterator, Iterator
from decimal import Decimal
from typing import assert_type

from toprung.sdk import (
    AsyncClient,
    AsyncReceipt,
    BatchReply,
    Client,
    RankReply,
    Receipt,
    ScoreEvent,
    ScoreResult,
    StandingsReply,
    score_of,
)


def blocking(client: Client) -> None:
    assert_type(client.top("b", k=3), StandingsReply)
    assert_type(client.rank("b", "ana"), RankReply | None)
    assert_type(client.submit("b", "ana", Decimal("1.5")), ScoreResult)
    assert_type(client.submit_many([ScoreEvent("b", "ana", "1")]), BatchReply)
    assert_type(client.pages("b", ranks=(1, 10)), Iterator[StandingsReply])
    assert_type([score_of(row) for row in client.top("b").rows], list[Decimal])
    with client.batcher(max_events=10) as batch:
        assert_type(batch.add("b", "ana", {"points": 3, "goals": 1}), Receipt)
        assert_type(batch.add("b", "ana", 1).result(), ScoreResult)

    client.submit("b", "ana", 1.5)  # type: ignore[arg-type]
    client.top("b", limit=3)  # type: ignore[call-arg]
    client.top("b", numbering="roman")  # type: ignore[arg-type]
    client.rank("b", "ana").rank  # type: ignore[union-attr]  # noqa: B018


async def awaited(client: AsyncClient) -> None:
    assert_type(await client.top("b", k=3), StandingsReply)
    assert_type(await client.rank("b", "ana"), RankReply | None)
    assert_type(client.pages("b"), AsyncIterator[StandingsReply])
    async with client.batcher() as batch:
        receipt = await batch.add("b", "ana", 1)
        assert_type(receipt, AsyncReceipt)
        assert_type(await receipt, ScoreResult)

    client.top("b").rows  # type: ignore[attr-defined]  # noqa: B018
