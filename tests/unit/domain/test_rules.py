"""Rules for named events: what they make of an event, and what no rule can say."""

import msgspec
import pytest

from toprung.domain.board import Board, BoardState, Column, Settings
from toprung.domain.errors import InvalidInput
from toprung.domain.limits import PROPERTIES_BYTES, RULES, RULES_OF_EVENT
from toprung.domain.records import Rule, RulesPut, decode_record, encode_record
from toprung.domain.rules import RuleSet, read_properties


def rule(**more):
    told = {"name": "xp", "event": "won", "board": "high", "points": "properties.xp"} | more
    return Rule(**told)


def scores(rules, properties, player="ana", event="won"):
    found = RuleSet(rules).scores(event, player, read_properties(msgspec.json.encode(properties)))
    return [tuple(score) for score in found]


def board(name, *columns):
    described = tuple(Column(column, True, 0) for column in columns)
    settings = Settings("sum", described, "earliest", ("all",), "UTC", 0, None, None, None, "")
    return Board(BoardState(1, "game", name, settings, 1, 0, (), None))


BOARDS = {"high": board("high", "score"), "league": board("league", "points", "goals")}


def refused(*rules):
    with pytest.raises(InvalidInput) as raised:
        RuleSet(rules).check_boards(BOARDS.get)
    return raised.value


def test_an_event_of_another_name_is_worth_nothing():
    assert scores([rule()], {}, event="lost") == []


def test_a_condition_decides_whether_a_rule_applies():
    rules = [rule(when="properties.xp > 3")]

    assert scores(rules, {"xp": 4}) == [("high", "ana", "4", ("xp",))]
    assert scores(rules, {"xp": 3}) == []


def test_points_are_bounded_where_the_rule_says_so():
    rules = [rule(points="properties.xp * 1.5", min="-1", max="10.5")]

    assert [scores(rules, {"xp": xp})[0][2] for xp in (-4, 2, 8)] == ["-1", "3", "10.5"]


def test_a_column_has_points_of_its_own():
    rules = [rule(board="league", points={"points": "3", "goals": "properties.goals"})]

    assert scores(rules, {"goals": 2}) == [
        ("league", "ana", {"points": "3", "goals": "2"}, ("xp",))
    ]


def test_a_team_gets_the_points_on_its_own_board():
    rules = [rule(), rule(name="team", board="teams", member="properties.team")]

    assert scores(rules, {"xp": 5, "team": "reds"}) == [
        ("high", "ana", "5", ("xp",)),
        ("teams", "reds", "5", ("team",)),
    ]


def test_what_several_rules_give_on_a_board_is_added_up():
    rules = [
        rule(),
        rule(name="fast", points="0.5", when="properties.fast"),
        rule(name="all", points="1"),
    ]

    assert scores(rules, {"xp": 5, "fast": True}) == [("high", "ana", "6.5", ("xp", "fast", "all"))]
    assert scores(rules, {"xp": 5, "fast": False}) == [("high", "ana", "6", ("xp", "all"))]


@pytest.mark.parametrize(
    ("more", "properties", "field", "why"),
    [
        ({}, {}, "properties.xp", "rule 'xp': properties.xp is missing"),
        ({}, {"xp": "5"}, "properties.xp", "must be a number, and is text"),
        ({"when": "properties.xp"}, {"xp": 1}, "properties.xp", "must be true or false"),
        ({"member": "properties.team"}, {"xp": 1}, "properties.team", "is missing"),
        ({"member": "properties.team"}, {"xp": 1, "team": 5}, "properties.team", "must be text"),
        ({"member": "properties.team"}, {"xp": 1, "team": ""}, "properties.team", "not be empty"),
        ({"member": "properties.team"}, {"xp": 1, "team": "x" * 257}, "properties.team", "256"),
    ],
)
def test_an_event_that_a_rule_cannot_read_names_rule_and_property(more, properties, field, why):
    with pytest.raises(InvalidInput, match=why) as raised:
        scores([rule(**more)], properties)

    assert raised.value.field == field
    assert raised.value.message.startswith("rule 'xp': ")


@pytest.mark.parametrize(
    ("rules", "code", "field"),
    [
        ([rule(board="other")], "unknown_board", "rules[0].board"),
        ([rule(name="A")], "invalid", "rules[0].name"),
        ([rule(), rule()], "invalid", "rules[1].name"),
        ([rule(event="")], "invalid", "rules[0].event"),
        ([rule(event="x" * 65)], "invalid", "rules[0].event"),
        ([rule(points="1 +")], "invalid", "rules[0].points"),
        ([rule(points="1 / 0")], "invalid", "rules[0].points"),
        ([rule(when="1")], "invalid", "rules[0].when"),
        ([rule(member="1")], "invalid", "rules[0].member"),
        ([rule(min="1e3")], "invalid", "rules[0].min"),
        ([rule(max="1" * 33)], "invalid", "rules[0].max"),
        ([rule(min="2", max="1.9")], "invalid", "rules[0].min"),
        ([rule(board="league")], "invalid", "rules[0].points"),
        ([rule(points={})], "invalid", "rules[0].points.score"),
        ([rule(board="league", points={"points": "1"})], "invalid", "rules[0].points.goals"),
        ([rule(points={"score": "1", "goals": "1"})], "invalid", "rules[0].points.goals"),
        ([rule(points={"score": "1"}, max="3")], "invalid", "rules[0].max"),
        ([rule(points={"score": "1 +"})], "invalid", "rules[0].points.score"),
        ([rule(), rule(name="b", member="player_id")], "invalid", "rules[1].member"),
        ([rule(), rule(name="b", points={"score": "1"})], "invalid", "rules[1].points"),
    ],
)
def test_a_rule_that_cannot_be_one_is_named_with_its_field(rules, code, field):
    error = refused(*rules)

    assert (error.code, error.field) == (code, field)


def test_there_are_only_so_many_rules():
    many = [rule(name=f"r{n}", event=f"e{n // 5}") for n in range(RULES.maximum + 1)]
    of_one = [rule(name=f"r{n}") for n in range(RULES_OF_EVENT.maximum + 1)]

    RuleSet(many[:-1])
    RuleSet(of_one[:-1])
    assert refused(*many).field == "rules"
    assert refused(*of_one).field == f"rules[{RULES_OF_EVENT.maximum}].event"


@pytest.mark.parametrize("content", [b"[]", b"{", b"null", b'{"a":NaN}', b'{"a":' + b"[" * 2000])
def test_properties_are_an_object(content):
    with pytest.raises(InvalidInput) as raised:
        read_properties(content)

    assert raised.value.field == "properties"


def test_properties_have_a_size():
    with pytest.raises(InvalidInput, match="4096 bytes"):
        read_properties(b'{"a":"' + b"x" * PROPERTIES_BYTES.maximum + b'"}')


def test_rules_are_a_record_of_the_log():
    put = RulesPut("game", (rule(), rule(points={"score": "1"}, when="true", min="1", max="2")))

    assert decode_record(encode_record(put)) == put
