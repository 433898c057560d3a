"""A match as the terminal shows it: moves as they are committed, above a progress bar.

Where the output is not a terminal there is no bar, only the lines.
"""

from types import TracebackType
from typing import Self

import chess
from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

from quadriglia.session import Moment
from quadriglia.words import Words
from rules.events import Event
from rules.seats import partner, seat

COLOURS = {"A": "cyan", "B": "magenta"}


class Terminal:
    """Watches a session. `boards`: how many there are."""

    def __init__(self, console: Console, words: Words, boards: int) -> None:
        self.console = console
        self.words = words
        self.boards = boards
        self.progress = Progress(
            BarColumn(),
            TextColumn("{task.percentage:3.0f}%"),
            TimeElapsedColumn(),
            TextColumn("{task.description}"),
            console=console,
            disable=not console.is_terminal,
            transient=True,
        )
        self.task = self.progress.add_task("", total=1.0)
        self.shown = 0.0

    def __enter__(self) -> Self:
        self.progress.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.progress.stop()

    def __call__(self, moment: Moment) -> None:
        for event in moment.events:
            self.console.print(self.line(event), highlight=False, soft_wrap=True)
        if moment.share - self.shown > 0.002 or moment.events:
            self.shown = moment.share
            count = len(moment.tracker.match.plies)
            self.progress.update(self.task, completed=moment.share, description=self.words.many("plies", count))

    def line(self, event: Event) -> str:
        """One event in words, with rich's markup."""
        time = f"[dim]{int(event.time) // 60:3}:{int(event.time) % 60:02}[/dim]"
        board = f"[{COLOURS[event.board]}]{event.board}[/]" if self.boards == 2 else " "
        return f"{time}  {board}  {self._words(event)}"

    def _words(self, event: Event) -> str:
        say = self.words
        if event.kind in ("move", "drop"):
            return f"[bold]{_move(event)}[/bold]"
        if event.kind == "hand_over":
            giver = say(f"seat.{seat(event.board, event.who())}")
            taker = say(f"seat.{seat(*partner(event.board, event.who()))}")
            piece = say(f"piece.{event.piece.upper()}")
            return f"     [dim]{say('event.hand_over', giver=giver, taker=taker, piece=piece)}[/dim]"
        if event.kind == "correction":
            return f"[yellow]{say('event.correction', move=_move(event))}[/yellow]"
        if event.kind == "take_back":
            return f"[yellow]{say('event.take_back', move=_move(event))}[/yellow]"
        if event.kind == "position":
            return f"[yellow]{say('event.position')}[/yellow]"
        if event.kind == "end":
            kind = "team" if self.boards == 2 else "player"
            reason = say.texts.get(f"reason.{event.reason}", event.reason)
            result = say(f"result.{kind}.{event.result}")
            return f"[bold green]{event.result}[/bold green]  {result}" + (f" ({reason})" if reason else "")
        if event.color is None:
            who = say("page.board", board=event.board)
        else:
            who = say(f"seat.{seat(event.board, event.color)}" if self.boards == 2 else _side(event))
        what = escape(say.texts.get(f"alerts.{event.reason}", event.reason))
        if event.kind == "withdrawn":
            return f"[dim]{say('event.withdrawn', who=who, alert=what)}[/dim]"
        about = self._about(event)
        return f"[bold yellow]![/] {who}: {what}" + (f" ({about})" if about else "")

    def _about(self, event: Event) -> str:
        """The move, or the piece and its square, that an alert is about."""
        if event.san:
            return escape(event.san)
        piece = self.words(f"piece.{event.piece.upper()}") if event.piece else ""
        return " ".join(filter(None, (piece, event.square)))


def _move(event: Event) -> str:
    """Number and SAN: `12. Nf3`, and `12... Nf6` for Black."""
    dots = "." if event.color == chess.WHITE else "..."
    return f"{(event.ply + 1) // 2:3}{dots} {escape(event.san)}"


def _side(event: Event) -> str:
    return "color.white" if event.color == chess.WHITE else "color.black"
