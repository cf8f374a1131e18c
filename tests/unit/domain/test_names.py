"""R1, R20: ids may be almost anything, names may not."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toprung.domain.errors import InvalidInput
from toprung.domain.names import check_id, check_name, is_name

CONTROLS = [chr(code) for code in range(0x110000) if unicodedata.category(chr(code)) == "Cc"]
ALLOWED = {"\t", "\n", "\r"}


def test_there_are_65_control_characters():
    assert len(CONTROLS) == 65


@pytest.mark.parametrize("char", CONTROLS, ids=lambda char: f"U+{ord(char):04X}")
@pytest.mark.parametrize("around", ["{}", "a{}", "{}b", "a{}b"])
def test_controls_are_refused_but_tab_line_feed_and_return(char, around):
    text = around.format(char)
    if char in ALLOWED:
        assert check_id(text, "player_id") == text
        return
    with pytest.raises(InvalidInput, match=f"control character U\\+{ord(char):04X}") as caught:
        check_id(text, "player_id")

    assert caught.value.field == "player_id"


@pytest.mark.parametrize(
    "text",
    [
        "a",
        " ",
        "0",
        "/",
        "a/../b?c#d%20",
        "'; DROP TABLE entries; --",
        "\N{ZERO WIDTH SPACE}",
        "\N{ZERO WIDTH JOINER}",
        "\N{RIGHT-TO-LEFT OVERRIDE}abc",
        "\N{NO-BREAK SPACE}",
        "\N{LINE SEPARATOR}",
        "e\N{COMBINING ACUTE ACCENT}",
        "\N{LATIN SMALL LETTER E WITH ACUTE}",
        "\N{PILE OF POO}",
        chr(0x10FFFF),
        chr(0xFFFE),
        chr(0xE000),
        chr(0xFEFF),
        "x" * 256,
        "\N{LATIN SMALL LETTER E WITH ACUTE}" * 128,
        "\N{PILE OF POO}" * 64,
    ],
)
def test_anything_else_up_to_256_bytes_is_an_id_and_is_not_changed(text):
    assert check_id(text, "event_id") == text


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "must not be empty"),
        ("x" * 257, "between 1 and 256 bytes of UTF-8"),
        ("\N{LATIN SMALL LETTER E WITH ACUTE}" * 128 + "x", "between 1 and 256 bytes"),
        ("\N{PILE OF POO}" * 65, "between 1 and 256 bytes"),
        ("\ud800", "lone surrogate"),
        ("a\udfff", "lone surrogate"),
        ("\ude00\ud83d", "lone surrogate"),
        ("x" * 300 + "\ud800", "lone surrogate"),
    ],
)
def test_what_cannot_be_an_id(text, why):
    with pytest.raises(InvalidInput, match=why) as caught:
        check_id(text, "event_id")

    assert caught.value.field == "event_id"


@given(st.text(min_size=0, max_size=300))
def test_the_quick_way_for_plain_text_agrees_with_the_rule(text):
    possible = 1 <= len(text.encode()) <= 256 and not any(
        unicodedata.category(char) == "Cc" and char not in ALLOWED for char in text
    )
    try:
        accepted = check_id(text, "event_id") == text
    except InvalidInput:
        accepted = False

    assert accepted == possible


@pytest.mark.parametrize("text", ["a", "0", "a.b_c:d-e", "x" * 64, "previous-week", "currents"])
def test_names(text):
    assert is_name(text)
    assert check_name(text, "board") == text


@pytest.mark.parametrize(
    "text",
    [
        "",
        "x" * 65,
        "A",
        "aB",
        "_a",
        ".a",
        ":a",
        "-a",
        "a b",
        "a/b",
        "a\n",
        "a\0",
        "\N{LATIN SMALL LETTER E WITH ACUTE}",
        "a\N{LATIN SMALL LETTER E WITH ACUTE}",
        "\N{ARABIC-INDIC DIGIT ONE}",
        "previous",
        "current",
    ],
)
def test_what_cannot_be_a_name(text):
    assert not is_name(text)
    with pytest.raises(InvalidInput, match="season must be 1 to 64 of a-z 0-9") as caught:
        check_name(text, "season")

    assert caught.value.field == "season"
