"""What the lines of a board ask of the game that is played there, and of the pockets."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, Protocol

import chess

from rules.history import History
from rules.lines import Line
from rules.match import Ply
from rules.seats import BoardName

if TYPE_CHECKING:
    from rules.beam import Beam

Drop = tuple[chess.Color, chess.PieceType, float, float]
"""Who dropped what, by when: it was first seen, or what followed it; and until when that was seen not to be so."""
Capture = tuple[chess.Color, float]
"""Who captured, and until when it was seen not to have happened."""


class Pockets(Protocol):
    """What the pockets say of a line."""

    def term(self, dropped: Sequence[Drop], captured: Sequence[Capture]) -> float:
        """Nats for or against these drops and captures."""

    def hope(self) -> float:
        """Nats that captures not thought of yet could still gain."""

    def missed(self, color: chess.Color) -> bool:
        """Whether a man is gone from a player's pocket of whom no drop was told."""


class Plies(Protocol):
    """What plies do to a line in one game. A board is the game's own kind of position. `slow`: one ply takes many
    seconds, in which its parts are seen one after the other."""

    slow: bool

    def copy(self, board: Any) -> Any:
        """A board that may change without the other."""

    def key(self, line: Line) -> tuple[object, ...]:
        """Equal for lines of which one may stand for the other: what comes to the same position is as good."""

    def as_good(self, line: Line, other: Line) -> bool:
        """Whether two lines that are kept come to the same, and nobody will ever know which it was."""

    def passed(self, board: Any) -> Any | None:
        """The board after a ply of which nobody knows what it was; None where that cannot be."""

    def grow(self, beam: "Beam", line: Line, changed: chess.Bitboard, hidden: chess.Bitboard) -> Iterator[chess.Move]:
        """Plies by which a line may go on, that could explain `changed`."""

    def after(self, beam: "Beam", line: Line, move: chess.Move) -> Line:
        """The line that goes on by a ply."""

    def seen_at(self, history: History, line: Line) -> float:
        """When the last ply of a line was first seen on the square it comes to; infinity where it was not."""

    def disorder(self, history: History, line: Line, then: Line | None) -> float:
        """Nats against the last ply of a line, as its squares were not seen to change, or not in the order of its
        parts. `then`: the same with the ply after it."""

    def meanwhile(self, board: Any, white: chess.Bitboard, black: chess.Bitboard) -> list[chess.Move]:
        """Plies that lead from a board to men of each side on these squares; none where that is not clear."""

    def waits(self, history: History, line: Line, then: Line | None) -> bool:
        """Whether who made the last ply of a line may not be done with it yet. `then`: the same with the next ply."""

    def as_played(self, ply: Ply) -> chess.Move:
        """The ply as a line has it, if it was against the rules too."""

    def force(self, match: Any, name: BoardName, move: Any) -> tuple[Ply, str, str]:
        """Let a ply against the rules stand in the match: the ply, the kind of its alert (empty if there is nothing to
        tell), and the rule."""

    def written(self, board: Any, move: chess.Move) -> str:
        """A ply as people write it."""

    def end(self, match: Any, name: BoardName) -> tuple[str, str] | None:
        """Result and reason, where the last ply has decided the game."""
