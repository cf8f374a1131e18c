"""The native view: counted trees in Rust, one for each period, over one dictionary of players."""

from toprung.rank.native.view import NativeView

__all__ = ["NativeView"]
