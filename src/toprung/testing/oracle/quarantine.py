"""Events that broke a limit and wait for somebody to look at them."""

from toprung.testing.oracle.board import Counted, Held, OracleBoard
from toprung.testing.oracle.facts import Event, Judge, Rules
from toprung.testing.oracle.snapshots import without_zeros
from toprung.testing.oracle.verdicts import Verdict


def out_of_time(board: OracleBoard, event: Event, arrival: int) -> Verdict | frozenset[str]:
    """Why an event is refused whatever it says, or the windows in which it is late (R10)."""
    rules, at = board.rules, arrival if event.at is None else event.at
    if rules.remember is not None and at < arrival - rules.remember:
        return Verdict("late", frozenset({"at"}))
    if rules.max_ahead is not None and at > arrival + rules.max_ahead:
        return Verdict("early", frozenset({"at"}))
    arrived = at if event.history else arrival
    late = frozenset(w for w in rules.windows if board.closed(w, at, arrived, arrival))
    return Verdict("late", frozenset({"at"})) if late == set(rules.windows) else late


def hold(board: OracleBoard, place: int, event: Event, arrival: int) -> None:
    """Have an event wait that breaks a limit, where the board wants that and it could count."""
    limits, late = board.rules.limits, out_of_time(board, event, arrival)
    if limits is not None and limits.holds and not isinstance(late, Verdict):
        at = arrival if event.at is None else event.at
        arrived = at if event.history else arrival
        carried = board.carried(event)
        counted = Counted(place, event, at, arrived, late, arrival, carried)
        board.held[event.event_id] = Held(counted)


def judge(board: OracleBoard | None, act: Judge, place: int) -> Verdict:
    """Have an event count as it would have when it arrived, or never."""
    if board is None:
        return Verdict("unknown_board")
    held = board.held.get(act.event_id)
    if held is None:
        approved = [each for each in board.counted if each.event.event_id == act.event_id]
        again = act.is_approved and bool(approved) and approved[0].event.approved
        return Verdict("unchanged" if again else "unknown_event")
    if not act.is_approved:
        board.held[act.event_id] = held._replace(is_rejected=True)
        return Verdict("unchanged" if held.is_rejected else "rejected")
    waiting = held.counted
    try:
        board.read(waiting.event)
    except ValueError:
        return Verdict("invalid", frozenset({"points"}))
    late = out_of_time(board, waiting.event, waiting.came)
    if isinstance(late, Verdict):
        return late
    event = waiting.event._replace(approved=True)
    board.counted.append(waiting._replace(place=place, event=event, late=late))
    if not board.fits():
        board.counted.pop()
        return Verdict("overflow")
    del board.held[act.event_id]
    return Verdict("approved")


def reread(board: OracleBoard, held: dict[str, Held], rules: Rules) -> dict[str, Held]:
    """Events in quarantine by other columns: what cannot be read by them stays so."""
    found = {}
    for event_id, each in held.items():
        kept = {column.name for column in rules.columns}
        event = each.counted.event
        points = {name: text for name, text in event.points.items() if name in kept}
        event = event._replace(points=without_zeros(points))
        try:
            board.read(event)
        except ValueError:
            event = event._replace(points={})
        found[event_id] = each._replace(counted=each.counted._replace(event=event))
    return found
