"""Asks a product what a query asks, and puts the answer in the form of an expectation."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from toprung.testing.api import Api, ProductTrouble, Refused, segment
from toprung.testing.cases.model import Query
from toprung.testing.cases.session import Session, instant_of
from toprung.testing.cases.settings import board_name
from toprung.testing.cases.trouble import CannotPlay
from toprung.testing.control import instant_text

TOP_ROWS = 100
"""Rows of a ``top`` that names no limit."""
PAGE_ROWS_MAX = 1000
CONSISTENT_PAGE_ROWS = 7
"""Small, so that a walk over a board of a case really turns pages."""

Args = Mapping[str, Any]
Row = list[Any]


@dataclass(frozen=True)
class ErrorAnswer:
    """The product refused to answer."""

    status: int
    code: str


class Reader:
    """Asks the questions of one case."""

    def __init__(self, session: Session, outcomes: Sequence[str]) -> None:
        self._session = session
        self._outcomes = outcomes
        self._questions: Mapping[str, Callable[[Args], Any]] = {
            "around": self._around,
            "consistent": self._consistent,
            "count": self._count,
            "name": self._name,
            "of": self._of,
            "outcomes": self._all_outcomes,
            "percentile": self._percentile,
            "range": self._range,
            "rank": self._rank,
            "ranks": self._ranks,
            "score": self._score,
            "subset": self._subset,
            "sum_all": self._sum_all,
            "top": self._top,
            "walk": self._walk,
            "walk_all": self._walk_all,
            "window_of": self._window_of,
        }

    def ask(self, query: Query) -> Any:
        """Answer one query; somebody who is not on the board has no answer: None.

        Raises:
            CannotPlay: there is no way to ask this.
            ProductTrouble: the product did not answer as it promises.
        """
        question = self._questions.get(query.op)
        if question is None:
            raise CannotPlay(f"there is no way to ask {query.op!r} yet")
        try:
            return question(query.args)
        except Refused as refused:
            if refused.code == "unranked_player":
                return [] if query.op == "around" else None
            return ErrorAnswer(refused.status, refused.code)

    # The questions ----------------------------------------------------------------------------

    def _top(self, args: Args) -> list[Row]:
        place = self._place(args)
        limit = args.get("limit", TOP_ROWS)
        offset = args.get("offset", 0)
        # Rows keep the board's own numbering, so those after an offset are found by their place in
        # the list and not by their rank.
        rows: list[Row] = []
        for page in place.pages("top", k=limit):
            rows += _rows(page)
            if offset == 0 or len(rows) >= offset + limit:
                break
        return rows[offset:][:limit] if offset else rows

    def _rank(self, args: Args) -> Any:
        return self._standing(args)["rank"]

    def _score(self, args: Args) -> Any:
        return self._standing(args)["score"]

    def _name(self, args: Args) -> Any:
        return self._standing(args).get("name")

    def _percentile(self, args: Args) -> Any:
        return self._standing(args)["percentile"]

    def _standing(self, args: Args) -> Any:
        return self._place(args).get(f"rank/{segment(args['player'])}")

    def _count(self, args: Args) -> Any:
        return self._place(args).get("top", k=1)["total"]

    def _around(self, args: Args) -> list[Row]:
        place = self._place(args)
        return _rows(place.get(f"around/{segment(args['player'])}", size=args["size"]))

    def _subset(self, args: Args) -> list[Row]:
        rows = self._place(args).post("friends", {"players": args["players"]})["rows"]
        return [[row["rank"], row["board_rank"], row["player_id"], row["score"]] for row in rows]

    def _walk(self, args: Args) -> list[Row]:
        place = self._place(args)
        first, *moves = args["moves"]
        if first != "first":
            raise CannotPlay(f"a walk cannot begin with {first!r}")
        page = place.get("top", k=args["size"])
        for move in moves:
            if move not in ("next", "prev"):
                raise CannotPlay(f"a walk cannot move {move!r}")
            if page[move] is None:
                return []
            page = place.follow("top", page[move], k=args["size"])
        return _rows(page)

    def _walk_all(self, args: Args) -> list[str]:
        return [row[1] for row in self._place(args).walk("top", k=args["size"])]

    def _of(self, args: Args) -> list[Row]:
        return _rows(self._place(args).post("ranks", {"players": args["players"]}))

    def _ranks(self, args: Args) -> list[Row]:
        return self._place(args).walk("ranks", **{"from": args["from"], "to": args["to"]})

    def _range(self, args: Args) -> list[Row]:
        bounds = {key: args[key] for key in ("min", "max") if key in args}
        return self._place(args).walk("scores", **bounds)

    def _window_of(self, args: Args) -> list[Any]:
        period = self._place(args).get("top", k=1)["period"]
        return [period["key"], _plain(period["start"]), _plain(period["end"])]

    def _sum_all(self, args: Args) -> str:
        rows = self._place(args).walk("top", k=PAGE_ROWS_MAX)
        return format(sum((Decimal(row[2]) for row in rows), Decimal()), "f")

    def _all_outcomes(self, _: Args) -> list[str]:
        return list(self._outcomes)

    def _consistent(self, args: Args) -> bool:
        """List, rank and count say the same about everybody."""
        place = self._place(args)
        listed = place.walk("top", k=CONSISTENT_PAGE_ROWS)
        standings = (place.get(f"rank/{segment(row[1])}") for row in listed)
        asked = [[one["rank"], one["player_id"], one["score"]] for one in standings]
        return listed == asked and len(listed) == self._count(args)

    def _place(self, args: Args) -> "_Place":
        api = self._session.admin if args.get("view") == "full" else self._session.client
        return _Place(api, f"/v1/boards/{segment(board_name(args))}", _chosen_view(args))


class _Place:
    """One board in one period, for one key."""

    def __init__(self, api: Api, board: str, period: Mapping[str, str]) -> None:
        self._api = api
        self._board = board
        self._period = period

    def get(self, path: str, **parameters: Any) -> Any:
        return self._api.get(f"{self._board}/{path}", {**self._period, **parameters})

    def post(self, path: str, body: Any) -> Any:
        return self._api.send("POST", f"{self._board}/{path}", body, self._period).body

    def follow(self, path: str, cursor: str, **parameters: Any) -> Any:
        """A cursor keeps window and period, so only the view and the size of the page are said
        again.
        """
        view = {name: value for name, value in self._period.items() if name == "view"}
        return self._api.get(f"{self._board}/{path}", {"cursor": cursor, **view, **parameters})

    def pages(self, path: str, **parameters: Any) -> Iterator[Any]:
        """Pages from the first one on, by cursor."""
        page = self.get(path, **parameters)
        kept = {key: value for key, value in parameters.items() if key == "k"}
        seen = set()
        while True:
            yield page
            cursor = page["next"]
            if cursor is None:
                return
            if cursor in seen:
                raise ProductTrouble(f"{path}: the walk comes back to a page")
            seen.add(cursor)
            page = self.follow(path, cursor, **kept)

    def walk(self, path: str, **parameters: Any) -> list[Row]:
        """All rows, page by page."""
        return [row for page in self.pages(path, **parameters) for row in _rows(page)]


def _chosen_view(args: Args) -> dict[str, str]:
    """The part of a query's arguments that says which window, which period of it, and whether what
    is kept from the public is meant.
    """
    chosen = {"view": "full"} if args.get("view") == "full" else {}
    if "window" in args:
        chosen["window"] = args["window"]
    for name in ("key", "season", "at"):
        if name in args:
            chosen["period"] = str(args[name])
    return chosen


def _rows(reply: Any) -> list[Row]:
    return [[row["rank"], row["player_id"], row["score"]] for row in reply["rows"]]


def _plain(instant: str | None) -> str | None:
    """An instant in the notation of the cases, whatever notation the product prefers."""
    parsed = instant_of(instant)
    return instant if parsed is None else instant_text(parsed)
