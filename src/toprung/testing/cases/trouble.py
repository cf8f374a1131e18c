"""Why a case could not be played to its end, other than by a wrong answer."""


class CannotPlay(Exception):
    """The case asks for something that this runner or the product has no way to do."""
