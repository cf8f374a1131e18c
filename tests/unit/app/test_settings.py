"""Settings of a server, from who starts it and from the environment."""

from pathlib import Path

import msgspec
import pytest

from toprung.app.settings import Settings, read_settings
from toprung.domain.errors import InvalidInput


def test_defaults_stand_where_nothing_is_said():
    assert read_settings({}, {}) == Settings()


def test_the_environment_is_read_and_what_is_given_wins():
    environment = {
        "TOPRUNG_PORT": "9000",
        "TOPRUNG_HOST": "::1",
        "TOPRUNG_CORS_ORIGINS": "https://a.example,https://b.example",
        "TOPRUNG_KEY": "no setting of the server",
        "PORT": "1",
    }

    settings = read_settings({"host": "127.0.0.2", "db": "x.db", "view": None}, environment)

    assert (settings.port, settings.host, settings.db) == (9000, "127.0.0.2", Path("x.db"))
    assert settings.cors_origins == ("https://a.example", "https://b.example")


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("port", "x"),
        ("port", 65_536),
        ("view", "fast"),
        ("rate_limit", -1),
        ("rate_burst", -1),
        ("image_every", -1),
    ],
)
def test_an_impossible_setting_is_named(name, value):
    with pytest.raises(InvalidInput) as raised:
        read_settings({name: value}, {})

    assert raised.value.field == name


@pytest.mark.parametrize(
    ("variable", "text"),
    [
        ("TOPRUNG_PORT", "70000"),
        ("TOPRUNG_PORT", "-1"),
        ("TOPRUNG_RATE_LIMIT", "-1"),
        ("TOPRUNG_RATE_BURST", "-5"),
        ("TOPRUNG_LOG_LEVEL", "loud"),
    ],
)
def test_an_impossible_variable_of_the_environment_is_named(variable, text):
    with pytest.raises(InvalidInput, match=f"^{variable}: "):
        read_settings({"port": None}, {variable: text})


def test_an_unknown_setting_is_refused():
    with pytest.raises(InvalidInput, match="colour"):
        read_settings({"colour": "red"}, {})


@pytest.mark.parametrize("name", [field.name for field in msgspec.structs.fields(Settings)])
def test_every_setting_may_stand_in_the_environment(name):
    numbers = dict.fromkeys(["port", "rate_limit", "rate_burst", "image_every"], "1")
    texts = {**numbers, "view": "off", "log_level": "debug"}

    read = read_settings({}, {f"TOPRUNG_{name.upper()}": texts.get(name, "some")})

    assert getattr(read, name) != getattr(Settings(), name)
