"""The operations on rules and named events; see ``Calls``."""

from collections.abc import Iterable
from dataclasses import dataclass

import msgspec

from toprung.sdk._asking import Asking, path_of, query_of
from toprung.sdk._errors import bad_reply
from toprung.sdk._events import batch_body, split
from toprung.sdk._exchange import Exchange, Request
from toprung.sdk._named import MAX_NAMED_EVENTS, NamedEvent, named_in, named_joined
from toprung.wire.rules import (
    NamedBatchReply,
    Rule,
    RulesIn,
    RulesPutReply,
    RulesReply,
    RulesTrial,
    TrialReply,
)


@dataclass(frozen=True, slots=True)
class RuleCalls(Asking):
    """What can be done with rules."""

    def submit_events(
        self, events: Iterable[NamedEvent], *, ranks: bool = True
    ) -> Exchange[NamedBatchReply]:
        """Sends named events; the project's rules turn each into scores on boards. One result for
        each, in the order given.

        More than 1,000 go in several requests, one after the other. When one fails, send all
        of them again: an event id counts once. An event that is refused harms no other one:
        look at ``outcomes``, and at ``board_outcomes`` for what became of the scores.

        Raises ``TypeError`` for a float in the properties, before any is sent.
        """
        replies: list[NamedBatchReply] = []
        query = query_of({"ranks": None if ranks else False})
        encoded = [msgspec.json.encode(named_in(event)) for event in events]
        for group in split(encoded, max_events=MAX_NAMED_EVENTS):
            body = batch_body(group)
            request = Request(method="POST", path=path_of("events"), query=query, body=body)
            reply = yield from self._call(request, NamedBatchReply)
            if len(reply.results) != len(group):
                raise bad_reply(200, f"{len(reply.results)} results for {len(group)} events")
            replies.append(reply)
        return named_joined(replies)

    def put_rules(
        self, rules: Iterable[Rule], *, reason: str | None = None
    ) -> Exchange[RulesPutReply]:
        """Sets the project's rules for named events, in place of all those before. Admin keys only.

        Raises ``InvalidRequest`` for a rule that cannot be one, ``NotFound`` for one that names an
        unknown board; ``field`` says which. Nothing was changed then.
        """
        body = msgspec.json.encode(RulesIn(rules=tuple(rules)))
        request = Request(
            method="PUT", path=path_of("rules"), query=query_of({"reason": reason}), body=body
        )
        return self._call(request, RulesPutReply)

    def rules(self) -> Exchange[RulesReply]:
        """The project's rules for named events."""
        return self._read(RulesReply, {}, "rules")

    def test_rules(
        self, events: Iterable[NamedEvent], rules: Iterable[Rule] | None = None
    ) -> Exchange[TrialReply]:
        """What rules make of up to 100 events; nothing is written. Without ``rules``: those in
        force.

        Raises ``InvalidRequest`` or ``NotFound`` for a rule that cannot be one, as ``put_rules``.
        """
        given = None if rules is None else tuple(rules)
        encoded = [msgspec.Raw(msgspec.json.encode(named_in(event))) for event in events]
        trial = RulesTrial(events=tuple(encoded), rules=given)
        request = Request(
            method="POST", path=path_of("rules", "test"), body=msgspec.json.encode(trial)
        )
        return self._call(request, TrialReply)
