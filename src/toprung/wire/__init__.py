"""What travels: the request, reply and error shapes of API v1.

Everything here is plain data (``msgspec`` structs). The server, the SDK and the
command line share these shapes, so that none of them can drift from the others.
The rules themselves live in ``toprung.domain``; nothing here decides anything.
"""
