"""The operations on rules and named events."""

from toprung.api import named
from toprung.api import rule_examples as examples
from toprung.api.operation import JSON, NDJSON, Body, Operation
from toprung.api.parameters import ActParams, NamedParams
from toprung.domain.access import Role
from toprung.wire import rules as wire

RULES = (
    Operation(
        "putRules",
        "PUT",
        "/v1/rules",
        Role.ADMIN,
        "Set the rules for named events",
        named.put_rules,
        {200: wire.RulesPutReply},
        examples.RULES_PUT,
        ("unknown_board",),
        ActParams,
        body=Body(wire.RulesIn, examples.RULES_IN),
        tag="rules",
        description="All of the project's, in place of those before. A rule that names no board or "
        "column that is there, or whose expression can have no value, is named with its field, "
        "and nothing changes. What was counted stays as it is.",
        writes=True,
    ),
    Operation(
        "getRules",
        "GET",
        "/v1/rules",
        Role.SERVER,
        "The rules for named events",
        named.get_rules,
        {200: wire.RulesReply},
        examples.RULES,
        tag="rules",
    ),
    Operation(
        "testRules",
        "POST",
        "/v1/rules/test",
        Role.SERVER,
        "Try rules on events",
        named.test_rules,
        {200: wire.TrialReply},
        examples.TRIAL,
        ("unknown_board",),
        body=Body(wire.RulesTrial, examples.TRIAL_IN),
        tag="rules",
        description="Tells what the rules given, or without any those in force, make of each "
        "event. Nothing is written.",
    ),
    Operation(
        "postEvents",
        "POST",
        "/v1/events",
        Role.SERVER,
        "Send named events",
        named.post_events,
        {200: wire.NamedBatchReply | wire.NamedResult},
        examples.NAMED_BATCH,
        ("unknown_board",),
        NamedParams,
        Body(wire.NamedEventIn, examples.NAMED_BATCH_IN, (JSON, NDJSON), raw=True),
        "rules",
        'One event, a batch `{"events": [...]}`, or NDJSON with one event a line. The project\'s '
        "rules turn each into score events, one for each board, with its id and its `at`; what "
        "several rules give on a board is added up. An event is `applied`, `ignored` because no "
        "rule applies, or refused for all boards alike, which leaves its id free; a bad one costs "
        "the others nothing. An event by itself is answered with its result, or, if refused, with "
        "an error.",
        writes=True,
    ),
)
