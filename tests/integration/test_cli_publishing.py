"""What the commands do with a board that withholds its first ranks."""

import pytest

from toprung.sdk import BoardSettings, Conflict, PublishDelay, ScoreEvent


@pytest.fixture
def board(client, names) -> str:
    """A season with ana before bo has ended just now."""
    name = next(names)
    client.put_board(name, BoardSettings(windows=("season",), publish_delay=PublishDelay(1, "24h")))
    client.begin_season(name, "s1", name="spring", at="2026-01-01T00:00:00Z")
    client.submit_many([ScoreEvent(name, "ana", 60), ScoreEvent(name, "bo", 20)])
    client.end_season(name, "s1")
    return name


def test_a_review_from_the_command_line(cli, board):
    season = "--period", "spring"

    shown = cli("top", board, *season)
    assert "ranks 1 to 1 are withheld until" in shown.out + shown.err
    rows = cli("top", board, *season, "--json").json["rows"]
    assert [(row["rank"], row["player_id"]) for row in rows] == [(2, "bo")]
    full = cli("top", board, *season, "--full", "--json").json["rows"]
    assert [row["player_id"] for row in full] == ["ana", "bo"]
    assert cli("rank", board, "ana", *season).code == "withheld"
    told = cli("boards", "publish", board, "spring", "--reason", "reviewed")
    assert f"{board} shows all ranks of season spring" in told.out + told.err
    told = cli("boards", "publish", board, "spring")
    assert f"{board} withheld nothing of season spring" in told.out + told.err
    assert cli("rank", board, "ana", *season, "--json").json["rank"] == 1
    assert cli("boards", "publish", board, "current").code == "period_open"


def test_a_review_from_python(client, board):
    withheld = client.top(board, period="spring").withheld
    assert withheld is not None
    assert withheld.top == 1
    with pytest.raises(Conflict) as refused:
        client.rank(board, "ana", period="spring")
    assert refused.value.code == "withheld"
    assert client.publish(board, "spring", reason="reviewed").result == "changed"
    assert client.top(board, period="spring").withheld is None


def test_boards_as_code_name_the_delay(cli, board, tmp_path):
    file = tmp_path / "boards.toml"
    file.write_text(
        f'[boards.{board}]\nwindows = ["season"]\npublish_delay = {{top = 1, for = "1440m"}}\n'
    )

    def actions():
        planned = cli("boards", "plan", str(file), "--json").json["boards"]
        return [each["action"] for each in planned]

    assert actions() == ["none"]
    file.write_text(f'[boards.{board}]\nwindows = ["season"]\n')
    planned = cli("boards", "plan", str(file))
    assert "publish_delay: the first 1 for 1d -> none" in planned.out
    assert cli("boards", "apply", str(file), "--yes").status == 0
    assert actions() == ["none"]
    file.write_text(f'[boards.{board}]\npublish_delay = {{top = 0, for = "1h"}}\n')
    assert "publish_delay.top must lie between 1 and 1000" in cli("boards", "plan", str(file)).err


def test_exports_have_all_rows_or_say_why_not(cli, board, tmp_path):
    season = "--window", "season", "--period", "spring"
    file = tmp_path / "out.csv"

    for command in (
        ("export", board, *season, "-o", str(file)),
        ("export", board, *season),
        ("query", "SELECT 1", "--board", board, *season),
    ):
        refused = cli(*command)
        assert (refused.code, refused.out) == ("withheld", ""), refused.err
        assert "ranks 1 to 1 are withheld until" in refused.err
    assert not file.exists()
    full = cli("export", board, *season, "--full")
    assert [line.split(",")[1] for line in full.out.splitlines()] == ["player_id", "ana", "bo"]
    counted = cli("query", "SELECT count(*) FROM entries", "--board", board, *season, "--full")
    assert counted.out.split()[-1] == "2"
    cli("boards", "publish", board, "spring")
    assert cli("export", board, *season).out == full.out
