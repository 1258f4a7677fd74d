"""What a log may hold: no secret of a link."""

import logging
import re

_KEY = re.compile(r"/key/[^/\s]+")


class WithoutKeys(logging.Filter):
    """Take the secret out of the addresses that a message quotes."""

    def filter(self, record: logging.LogRecord) -> bool:
        record.msg = _KEY.sub("/key/-", record.getMessage())
        record.args = ()
        return True
