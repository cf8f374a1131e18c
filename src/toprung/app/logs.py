"""Logs: lines for a person on a terminal, JSON for everything else. Secrets never get here."""

import logging
import sys

import structlog


def configure_logs(level: str) -> None:
    """Send what this process logs, its libraries too, to standard error."""
    shared: list[structlog.typing.Processor] = [
        structlog.stdlib.add_log_level,
        structlog.stdlib.add_logger_name,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
    ]
    structlog.configure(
        processors=[*shared, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
        cache_logger_on_first_use=False,
    )
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=shared,
            processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, *_rendering()],
        )
    )
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(level.upper())
    # What the HTTP server says of its own life is said by us; its warnings are kept.
    logging.getLogger("uvicorn").setLevel(logging.WARNING)


def _rendering() -> list[structlog.typing.Processor]:
    if sys.stderr.isatty():
        # The usual traceback of this renderer shows local variables: keys would be among them.
        return [structlog.dev.ConsoleRenderer(exception_formatter=structlog.dev.plain_traceback)]
    return [structlog.processors.format_exc_info, structlog.processors.JSONRenderer()]
