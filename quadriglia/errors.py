"""What a user can put right: shown as one line, never as a traceback."""

from typing import Any


class UserError(Exception):
    """`key`: its text in the catalogue is `error.<key>`, with `values` filled in."""

    def __init__(self, key: str, **values: Any) -> None:
        super().__init__(key, values)
        self.key = key
        self.values = values
