"""What the commands do with a frozen board."""

import pytest

from toprung.sdk import BoardSettings, Conflict, ScoreEvent

FREEZE = "2026-05-04T13:00:00Z"


@pytest.fixture
def board(client, names) -> str:
    """Before the freeze bo led with 20; since then ana has 60."""
    name = next(names)
    client.put_board(name, BoardSettings(grace="none", freeze_at=FREEZE))
    early, late = "2026-05-04T12:00:00Z", "2026-05-04T13:00:00Z"
    client.submit_many(
        [
            ScoreEvent(name, "ana", 10, at=early),
            ScoreEvent(name, "bo", 20, at=early),
            ScoreEvent(name, "ana", 50, at=late),
        ]
    )
    return name


def leaders(ended) -> list[tuple[str, str]]:
    assert ended.status == 0, ended.err
    return [(row["player_id"], row["score"]) for row in ended.json["rows"]]


def test_a_frozen_board_from_the_command_line(cli, board):
    frozen, full = [("bo", "20"), ("ana", "10")], [("ana", "60"), ("bo", "20")]

    assert leaders(cli("top", board, "--json")) == frozen
    assert leaders(cli("top", board, "--full", "--json")) == full
    assert cli("rank", board, "ana", "--full", "--json").json["rank"] == 1
    steps = cli("reveal", board, "--json").json["steps"]
    assert [(step["player_id"], step["rank"]) for step in steps] == [("ana", 1), ("bo", 2)]
    more = cli("reveal", board, "--limit", "1")
    assert "and 1 more; --after 1 shows them" in more.out + more.err
    told = cli("boards", "unfreeze", board)
    assert f"{board} shows everything, what came since {FREEZE} too" in told.out + told.err
    assert leaders(cli("top", board, "--json")) == full
    told = cli("boards", "unfreeze", board)
    assert "was not frozen" in told.out + told.err
    assert (cli("reveal", board).status, cli("reveal", board).code) == (1, "not_frozen")


def test_a_frozen_board_from_python(client, board):
    assert [row.player_id for row in client.top(board).rows] == ["bo", "ana"]
    assert client.top(board).frozen_at == FREEZE
    pages = client.pages(board, page_size=1, view="full")
    assert [row.player_id for page in pages for row in page.rows] == ["ana", "bo"]
    with pytest.raises(Conflict, match="unfreeze it before"):
        client.put_board(board, BoardSettings(grace="none"), if_exists="change")
    assert client.unfreeze(board).result == "changed"
    with pytest.raises(Conflict, match="is not frozen"):
        client.reveal(board)


def test_boards_as_code_name_the_freeze(cli, board, tmp_path):
    file = tmp_path / "boards.toml"
    file.write_text(f'[boards.{board}]\ngrace = "none"\nfreeze_at = "2026-05-04T15:00:00+02:00"\n')

    assert [
        each["action"] for each in cli("boards", "plan", str(file), "--json").json["boards"]
    ] == ["none"]
    cli("boards", "unfreeze", board)
    assert cli("boards", "apply", str(file), "--yes").status == 0
    assert cli("boards", "show", board, "--json").json["frozen_at"] is None
