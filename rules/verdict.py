"""What the referee says, and the one table of every reason there is. The words stand in the program's catalogues."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from rules.profile import Profile, rules

Word = Literal["OK", "ILLEGAL", "WAIT", "MATE", "LOST", "DRAW", "FLAG", "WARN", "ASK"]
"""OK, ILLEGAL: of a move. WAIT: the player may wait. MATE, LOST, DRAW: the match. FLAG: for the arbiter to judge.
WARN: put it right. ASK: an option has to be settled."""

REASONS: Mapping[str, str] = {
    # moves
    "legal": "laws",
    "legal_drop": "drops",
    "drop_gives_check": "drop_check",
    "drop_parries": "drop_in_check",
    "drop_mates": "drop_mate",
    "dropped_pawn_steps": "dropped_pawn_double",
    "castles_dropped_rook": "drop_castle",
    "castle_option": "drop_castle",
    "substituted": "promotion",
    "substituted_pawn": "promotion",
    "stays_pawn": "promotion",
    "promotion_kind": "promotion_kinds",
    "promotion_not_in_reserve": "promotion_kinds",
    "promoted_man_missing": "promoted_reverts",
    "not_on_move": "laws",
    "two_moves": "drops",
    "no_man": "laws",
    "moves_otherwise": "laws",
    "ambiguous": "laws",
    "unreadable": "laws",
    "wrong_number": "laws",
    "en_passant_late": "laws",
    "king_in_check": "laws",
    "takes_king": "laws",
    "not_closed": "record",
    "order_by_clocks": "record",
    "promotion_unnamed": "promotion_unnamed",
    "promotion_missing": "laws",
    "drop_not_in_reserve": "drops",
    "drop_occupied": "drops",
    "drop_pawn_rank": "pawn_ranks",
    "drop_in_check": "drop_in_check",
    "drop_knight_check": "drops",
    "drop_contact_check": "drops",
    "drop_double_check": "drops",
    "drop_beside_check": "drops",
    "drop_check": "drop_check",
    "drop_mate": "drop_mate",
    "drop_removed": "illegal_drop",
    "dropped_pawn_double": "dropped_pawn_double",
    "castle_king_moved": "laws",
    "castle_rook_moved": "laws",
    "castle_no_rook": "laws",
    "castle_dropped_rook": "drop_castle",
    "castle_in_check": "laws",
    "castle_blocked": "laws",
    "castle_through_check": "laws",
    "promotion_substitute": "promotion",
    "after_end": "first_end",
    "replaced": "touch",
    "touched": "touch",
    "taken_back": "touch",
    "dependent_take_back": "available",
    "passed_before_press": "available",
    # men
    "hand_over": "available",
    "not_passed": "available",
    "wrong_zone": "available",
    "passed_late": "available",
    "reserve_missing": "reserve",
    "reserve_surplus": "reserve",
    "reserve_unseen": "reserve",
    "reserve_refused": "refusal",
    "men_missing": "conservation",
    "men_surplus": "conservation",
    "promotion_pending": "promotion",
    "promotion_shown": "promotion_unnamed",
    "promotion_unmarked": "promotion",
    "promotion_mark_unclear": "promotion",
    "promotion_inconsistent": "promotion",
    "fallen": "laws",
    # ends
    "checkmate": "mate",
    "checkmate_stock": "mate",
    "wait_check": "mate",
    "stock_empty": "mate",
    "wait_stalemate": "stalemate",
    "stalemate": "stalemate",
    "both_stalemated": "stalemate",
    "wait_no_clock": "wait",
    "sitting": "wait",
    "flag": "first_end",
    "flags_both": "two_flags",
    "flags_order": "two_flags",
    "ends_together": "both_ends",
    "resigned": "resignation",
    "illegal_claimed": "illegal_move",
    "illegal_lost": "illegal_move",
    "illegal_corrected": "illegal_move",
    "illegal_stands": "illegal_move",
    "illegal_none": "illegal_move",
    "repetition": "repetition",
    "repetition_board": "one_board_draw",
    "repetition_counts": "repetition",
    "repetition_none": "repetition",
    "fifty": "fifty",
    "fifty_board": "one_board_draw",
    "fifty_pawn_drop": "fifty_pawn_drop",
    "fifty_none": "fifty",
    "both_drawn": "one_board_draw",
    "insufficient": "insufficient",
    "insufficient_never": "insufficient",
    "dead_position": "insufficient",
    "agreed": "agreement",
    "agreed_not_all": "agreement",
    "agreed_not_provided": "agreement",
    "draw_offer": "agreement",
    "ruled": "laws",
    # people
    "partner_moved": "partner_hands",
    "partner_moved_allowed": "partner_hands",
    "partner_clock": "partner_clock",
    "partner_clock_allowed": "partner_clock",
    "partner_clock_open": "partner_clock",
    "advice": "advice",
    "advice_forbidden": "advice",
    "other_hand": "laws",
    "seats_wrong": "seats",
    "clocks_wrong": "clocks",
    "start_apart": "start",
    "colours_changed": "colours",
    "swapped_king_queen": "swapped_king_queen",
    "swapped_castling": "swapped_king_queen",
    # records
    "result_differs": "result",
    "termination_differs": "result",
    "clock_rises": "clocks",
    "no_moves": "laws",
    "board_lost": "laws",
    "takes_nothing": "record",
    "unknown_choice": "record",
    "bad_position": "record",
}
"""Every reason, and the field of `Profile` it rests on: `laws` are FIDE's, `drops` the game itself, `conservation` the
men of two sets, `result` and `record` the record's own."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """One finding. `values` fill in the reason's text; `result`: of the match, as in BPGN, where it is decided."""

    word: Word
    reason: str
    authority: str
    values: Mapping[str, str | int] = field(default_factory=dict, compare=False)
    result: str = ""

    @property
    def rule(self) -> str:
        """The field of `Profile` or the law it rests on."""
        return REASONS[self.reason]

    @property
    def dimension(self) -> int:
        """Its number in the table of differences between authorities; 0 where all agree."""
        return rules().get(self.rule, 0)


def verdict(profile: Profile, word: Word, reason: str, result: str = "", /, **values: str | int) -> Verdict:
    """A finding under a profile. Raises KeyError for a reason that is not in the table."""
    return Verdict(word, reason, profile.authority(REASONS[reason]), values, result)
