"""Records of live matches for others: checked, and written as BPGN, PGN and JSON. And which webcams there are."""

import json
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import chess
from rich.console import Console

from quadriglia.desk import state_of
from quadriglia.errors import UserError
from quadriglia.evening import JOURNAL
from quadriglia.files import replace_file
from quadriglia.gamefile import live_tags, live_text
from quadriglia.journal import Journal
from quadriglia.matches import tell
from quadriglia.state import State
from quadriglia.words import Words
from rules.match import Ply
from rules.notation import escaped
from rules.seats import BoardName
from vision.camera import list_cameras


def read_record(folder: Path) -> State:
    """The state that a record's folder, or its file, adds up to. Raises UserError."""
    with _opened(folder) as journal:
        return _added_up(journal)


def verify_record(console: Console, say: Words, folder: Path) -> int:
    """Say whether a record is whole; 0 if it is, else 1. Raises UserError where there is none."""
    with _opened(folder) as journal:
        faults = journal.faults()
        if not faults:
            with suppress(UserError):
                state = _added_up(journal)
                plies = say.many("plies", len(state.match.plies))
                result = state.end.result if state.end else "*"
                tell(console, say("verify.whole", path=journal.path, entries=journal.count, plies=plies, result=result))
                return 0
            faults = ["entries"]
        for fault in faults:
            tell(console, say("verify.broken", path=journal.path, fault=fault))
    return 1


def export_record(console: Console, say: Words, folder: Path, out: Path | None) -> None:
    """Write a record's match beside it, or into `out`: `match.bpgn` and a PGN a board, and `match.json`."""
    state = read_record(folder)
    target = out or (folder if folder.is_dir() else folder.parent)
    try:
        target.mkdir(parents=True, exist_ok=True)
        for name, text in _texts(state).items():
            replace_file(target / name, text)
            tell(console, say("export.written", path=target / name))
    except OSError as error:
        raise UserError("out_not_writable", path=target) from error


def show_cameras(console: Console, say: Words) -> None:
    """List the webcams that answer."""
    found = list_cameras()
    for source, width, height, fps in found:
        tell(console, say("cameras.one", source=source, width=width, height=height, fps=f"{fps:g}"))
    if not found:
        tell(console, say("cameras.none"))


def _opened(folder: Path) -> Journal:
    path = folder / JOURNAL if folder.is_dir() else folder
    if not path.exists():
        raise UserError("no_record", path=folder)
    return Journal(path)


def _added_up(journal: Journal) -> State:
    try:
        return state_of(journal)
    except (KeyError, ValueError, TypeError, StopIteration) as error:
        raise UserError("journal_form", path=journal.path) from error


def _texts(state: State) -> dict[str, str]:
    """Names and contents of the files."""
    match, result = state.match, state.end.result if state.end else "*"
    texts = {"match.json": json.dumps(state.body(), indent=1, ensure_ascii=False) + "\n"}
    if match.game != "bughouse":
        return texts | {"match.pgn": live_text(state)}
    texts["match.bpgn"] = live_text(state)
    for board in match.boards:
        texts[f"board-{board.lower()}.pgn"] = _one_board(state, board, result)
    return texts


def _one_board(state: State, board: BoardName, result: str) -> str:
    """One board as crazyhouse's PGN has it: drops as `N@e5`, though what is dropped came from the partner."""
    white, black = (state.players.get(board, {}).get(color) or "?" for color in ("white", "black"))
    tags = live_tags(state) | {
        "White": white,
        "Black": black,
        "Result": _on_board(result, board),
        "Variant": "Bughouse",
    }
    kept = ("Date", "White", "Black", "Result", "TimeControl", "Variant")
    header = "".join(f'[{name} "{escaped(tags[name])}"]\n' for name in kept)
    words = [word for ply in state.match.plies if ply.board == board for word in _words(ply)]
    return header + "\n" + " ".join([*words, tags["Result"]]) + "\n"


def _words(ply: Ply) -> Iterator[str]:
    if ply.color == chess.WHITE:
        yield f"{(ply.number + 1) // 2}."
    elif ply.number == 1:
        yield "1..."
    yield ply.san if ply.legal else f"{{{ply.san}}}"


def _on_board(result: str, board: BoardName) -> str:
    """The team's result as the board's: on board B the first team plays Black."""
    return result if board == "A" else {"1-0": "0-1", "0-1": "1-0"}.get(result, result)
