"""Instants about which the calendars of zones are odd."""

from datetime import UTC, datetime, timedelta


def _at(text: str) -> int:
    delta = datetime.fromisoformat(text).replace(tzinfo=UTC) - datetime(1970, 1, 1, tzinfo=UTC)
    return delta // timedelta(microseconds=1)


ODD_MOMENTS: dict[str, list[int]] = {
    zone: [_at(text) for text in texts]
    for zone, texts in {
        "UTC": ["2026-12-31T23:59:59", "2024-02-29T12:00:00", "2027-01-01T00:00:00"],
        # Forward and back at one minute past midnight; a double summer time; local mean time.
        "America/St_Johns": [
            "2006-04-02T03:31:00",
            "2006-10-29T02:31:00",
            "1988-04-03T03:31:00",
            "1935-03-30T03:30:52",
            "1917-04-08T05:30:00",
        ],
        "Australia/Lord_Howe": ["2026-04-04T15:00:00", "2026-10-03T15:30:00"],
        "America/Sao_Paulo": ["2018-11-04T03:00:00", "2018-02-18T02:00:00"],
        "Pacific/Apia": ["2011-12-30T10:00:00", "2012-03-31T14:00:00", "1892-07-05T11:26:56"],
        "Pacific/Kwajalein": ["1993-08-21T12:00:00"],
        "Africa/Cairo": ["2014-05-15T22:00:00", "2014-06-26T21:00:00", "2023-10-26T21:00:00"],
        "Asia/Kathmandu": ["1985-12-31T18:30:00", "2026-05-01T18:15:00"],
        "America/Havana": ["2026-03-08T05:00:00", "2024-11-03T05:00:00"],
        "Europe/Dublin": ["2026-03-29T01:00:00", "1916-05-21T02:25:21", "1916-10-01T02:25:21"],
        "America/New_York": ["2026-03-08T07:00:00", "2026-11-01T06:00:00"],
        "Africa/Monrovia": ["1972-01-07T00:44:30"],
        "Pacific/Kiritimati": ["1994-12-31T10:00:00", "2026-12-31T10:00:00"],
        "Asia/Manila": ["1844-12-31T15:56:00"],
        "Antarctica/Troll": ["2026-03-29T01:00:00", "2026-10-25T01:00:00"],
    }.items()
}
"""Zones, each with instants at which its clock was set, or close to where a period ends."""
