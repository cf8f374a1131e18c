"""Finding what answers a path, which is split before it is decoded."""

from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toprung.api.errors import ApiError
from toprung.api.operations import PUBLIC
from toprung.api.routes import Routes

ROUTES = Routes(
    [
        ("GET", "/", "index"),
        ("GET", "/boards", "boards"),
        ("PUT", "/boards/{board}", "put"),
        ("GET", "/boards/{board}", "get"),
        ("GET", "/boards/{board}/rank/{player}", "rank"),
        ("POST", "/files/{file}", "file"),
    ]
)


@given(st.text(st.characters(exclude_categories=["Cs"]), min_size=1))
def test_an_argument_is_one_segment_whatever_it_holds(player):
    path = f"/boards/b/rank/{quote(player, safe='')}"

    assert ROUTES.find("GET", path.encode()) == ("rank", ["b", player])


@pytest.mark.parametrize(
    ("method", "path", "found"),
    [
        ("GET", b"/", ("index", [])),
        ("GET", b"/boards", ("boards", [])),
        ("PUT", b"/boards/rank", ("put", ["rank"])),
        ("GET", b"/boards/boards", ("get", ["boards"])),
        ("HEAD", b"/boards/b", ("get", ["b"])),
        ("POST", b"/files/boards", ("file", ["boards"])),
    ],
)
def test_fixed_segments_and_arguments_do_not_mix(method, path, found):
    assert ROUTES.find(method, path) == found


@pytest.mark.parametrize(
    ("method", "path", "code"),
    [
        ("GET", b"/board", "not_found"),
        ("GET", b"/boards/", "not_found"),
        ("GET", b"/boards//rank/p", "not_found"),
        ("GET", b"/boards/b/rank", "not_found"),
        ("GET", b"/boards/b/rank/p/", "not_found"),
        ("GET", b"*", "not_found"),
        ("GET", b"", "not_found"),
        ("POST", b"/boards", "method_not_allowed"),
        ("HEAD", b"/files/f", "method_not_allowed"),
        ("GET", b"/boards/%ff", "bad_encoding"),
        ("GET", b"/boards/%", "bad_encoding"),
        ("GET", b"/boards/a%zzb", "bad_encoding"),
        ("GET", b"/boards/a%4", "bad_encoding"),
    ],
)
def test_what_is_not_there_says_why(method, path, code):
    with pytest.raises(ApiError) as raised:
        ROUTES.find(method, path)

    assert raised.value.code == code


@pytest.mark.parametrize("operation", PUBLIC, ids=lambda operation: operation.name)
def test_every_operation_is_found(operation):
    routes = Routes((each.method, each.path, each.name) for each in PUBLIC)

    found, arguments = routes.find(
        operation.method, operation.path.replace("{", "").replace("}", "").encode()
    )

    assert found == operation.name
    assert len(arguments) == operation.path.count("{")
