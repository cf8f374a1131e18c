"""What a store is filled with: values at the ends of what the rules allow."""

from hypothesis import strategies as st

from toprung.domain import limits
from toprung.domain.audit import ActLine
from toprung.domain.board import BoardState, Column, Settings
from toprung.domain.calendar import Season
from toprung.domain.decide import Seen
from toprung.domain.entries import Entry
from toprung.domain.moderation import PlayerState
from toprung.domain.records import Profile, Rule
from toprung.ports.store import StoredFriends, StoredProfile, StoredRules, WantedActs
from toprung.testing.strategies import ids, numbers

ODD_IDS = [
    "a",
    "A",
    "a ",
    " a",
    "e\N{COMBINING ACUTE ACCENT}",
    "\N{LATIN SMALL LETTER E WITH ACUTE}",
    "\N{LATIN SMALL LETTER SHARP S}",
    "ss",
    "9",
    "09",
    "9.0",
    "null",
    "%",
    "_",
    "'",
    '"; --',
    "\t",
    "\uffee",
    "\N{PILE OF POO}",
    "x" * limits.ID_BYTES.maximum,
]
"""Ids that some text column or collation takes for one another, or changes."""


def board_state(board_id: int, name: str = "week", latest_at: int | None = None) -> BoardState:
    """A board with something in every field."""
    columns = (Column("score", True, 9), Column("time", False, 0))
    return BoardState(
        board_id,
        "game",
        name,
        Settings(
            "best",
            columns,
            "dense",
            ("all", "season"),
            "Europe/Oslo",
            6,
            None,
            1,
            2,
            "\N{PILE OF POO}",
        ),
        2,
        2**62,
        (Season("r1", None, -(2**62)), Season("r2", "autumn", 2**62)),
        latest_at,
        (columns[:1],),
    )


entries = st.builds(
    Entry,
    columns=st.lists(numbers, min_size=1, max_size=limits.COLUMNS.maximum).map(tuple),
    reached_at=st.integers(-(2**55), 2**55),
    events=st.integers(1, 2**40),
    moved=st.booleans(),
    event_id=st.just("") | ids,
    seq=st.integers(0, 3) | st.just(2**50),
)

_some_columns = st.none() | st.lists(numbers, min_size=1, max_size=5).map(tuple)

seen = st.builds(
    Seen,
    seq=st.integers(1, 2**50),
    outcome=st.sampled_from(["counted", "unchanged", "late", "early", "overflow"]),
    player_id=ids,
    points=st.lists(numbers, min_size=1, max_size=5).map(tuple),
    revision=st.integers(1, 9),
    at=st.integers(-(2**55), 2**55),
    at_given=st.booleans(),
    received_at=st.integers(0, 2**55),
    columns=_some_columns,
    previous=_some_columns,
    late=st.lists(st.sampled_from(["all", "daily", "season"]), max_size=2).map(tuple),
)

players = st.builds(
    PlayerState,
    hidden=st.booleans(),
    banned=st.booleans(),
    until=st.none() | st.integers(0, 2**55),
    seq=st.integers(1, 2**50),
)

_texts = st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=8)

profiles = st.builds(
    StoredProfile,
    profile=st.builds(
        Profile,
        name=st.none() | _texts,
        avatar_url=st.none() | _texts,
        attributes=st.dictionaries(_texts, _texts, max_size=2),
    ),
    updated_at=st.integers(0, 2**55),
    seq=st.integers(1, 2**50),
)

friends = st.builds(
    StoredFriends,
    friends=st.lists(_texts, max_size=3).map(tuple),
    updated_at=st.integers(0, 2**55),
    seq=st.integers(1, 2**50),
)

rules = st.builds(
    StoredRules,
    rules=st.lists(
        st.builds(
            Rule,
            name=_texts,
            event=_texts,
            board=_texts,
            points=_texts | st.dictionaries(_texts, _texts, max_size=2),
            when=st.none() | _texts,
            member=st.none() | _texts,
            min=st.none() | _texts,
            max=st.none() | _texts,
        ),
        max_size=2,
    ).map(tuple),
    updated_at=st.integers(0, 2**55),
    seq=st.integers(1, 2**50),
)

_kinds = st.sampled_from(["hide", "board_put"])
_boards = st.sampled_from(["arena", "league"])
_players = st.sampled_from(["a", "A"])
_keys = st.sampled_from(["", "a key"])

acts = st.builds(
    ActLine,
    seq=st.integers(1, 9),
    received_at=st.integers(0, 3),
    project=st.sampled_from(["game", "other"]),
    kind=_kinds,
    board=st.none() | _boards,
    player_id=st.none() | _players,
    actor=_keys,
    result=st.sampled_from(["changed", "refused"]),
    code=st.none() | st.just("overflow"),
)
wanted_acts = st.builds(
    WantedActs,
    project=st.sampled_from(["game", "other"]),
    kind=st.none() | _kinds,
    board=st.none() | _boards,
    player_id=st.none() | _players,
    actor=st.none() | _keys,
    since=st.none() | st.integers(0, 3),
    until=st.none() | st.integers(0, 3),
)
