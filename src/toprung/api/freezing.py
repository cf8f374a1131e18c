"""Boards whose public view stands still: who may see all, and showing it to everybody."""

from typing import Any

from toprung.api.boards import instant
from toprung.api.errors import ApiError
from toprung.api.operation import Call, Later
from toprung.api.reads import columns_told, to_period
from toprung.api.services import Services
from toprung.api.viewing import frozen_since
from toprung.api.waiting import acted
from toprung.domain.board import Board
from toprung.domain.errors import Broken
from toprung.domain.limits import PAGE_ROWS, REVEALED
from toprung.query import Revealed, Scope, StaleScope, Step
from toprung.wire import freezing as wire


async def unfreeze(services: Services, call: Call) -> wire.UnfreezeReply:
    """Show the public everything."""
    written = services.intake.unfreeze(call.project, call.path[0], call.key_id)
    result = await acted(written)
    if result.change is None:
        raise Broken("a board was unfrozen, and what changed is not known")
    change = result.change
    freeze_at = instant(change.state.settings.freeze_at)
    return wire.UnfreezeReply(
        change.state.name,
        change.result,  # type: ignore[arg-type]
        freeze_at,
        str(result.seq),
    )


def reveal(services: Services, call: Call) -> Any:
    """The steps from the frozen list to the full one."""
    limit, after = PAGE_ROWS.check(call.params.limit, "limit"), call.params.after
    REVEALED.check(after, "after")

    def work() -> tuple[Scope, Revealed]:
        while True:
            scope = _frozen_scope(services, call)
            try:
                return scope, services.query.reveal(scope)
            except StaleScope:
                services.query.settle()

    def answer(found: tuple[Scope, Revealed]) -> wire.RevealReply:
        scope, revealed = found
        return _revealed(services, call.project, scope, revealed, slice(after, after + limit))

    return Later(work, answer)


def _frozen_scope(services: Services, call: Call) -> Scope:
    params, name = call.params, call.path[0]
    scope = services.query.scope(call.project, name, params.window, params.period, params.numbering)
    if frozen_since(services, scope) is None:
        raise ApiError("not_frozen", f"board {name!r} is not frozen", field="board")
    return scope


def _revealed(
    services: Services, project: str, scope: Scope, found: Revealed, chosen: slice
) -> wire.RevealReply:
    steps = found.steps[chosen]
    profiles = services.profiles.of(project, [step.player_id for step in steps])
    names = {player: profile.name for player, profile in profiles.items()}
    end = chosen.start + len(steps)
    return wire.RevealReply(
        scope.board.state.name,
        scope.period.window,
        to_period(scope.period),
        scope.numbering.value,
        frozen_since(services, scope),
        len(found.steps),
        tuple(
            _step(scope.board, number, step, names.get(step.player_id))
            for number, step in enumerate(steps, chosen.start + 1)
        ),
        end if end < len(found.steps) else None,
        str(found.seq),
    )


def _step(board: Board, number: int, step: Step, name: str | None) -> wire.RevealStep:
    before = step.columns_before
    return wire.RevealStep(
        number,
        step.player_id,
        step.before,
        None if before is None else board.format_score(before),
        step.after,
        board.format_score(step.columns),
        step.total,
        columns_told(board, step.columns),
        name,
    )
