"""What a user can put right: shown as one line, never as a traceback."""

from typing import Any


class UserError(Exception):
    """`key`: its text in the catalogue is `error.<key>`, with `values` filled in."""

    def __init__(self, key: str, **values: Any) -> None:
        super().__init__(key, values)
        self.key = key
        self.values = values


class RefusedError(Exception):
    """A page's command that is not carried out: `kind` says why, `status` is HTTP's."""

    def __init__(self, kind: str, status: int = 400) -> None:
        super().__init__(kind)
        self.kind = kind
        self.status = status
