"""The rule profiles of clubs and authorities. Each choice stands beside the sentence or article that makes it.

000 to 003 are four Italian texts: an anonymous sheet on *quadriglia*, scacchigallarate.it, bivaccodelloscacco.it and
the Scacchistica Milanese's *scacco bratto*. Where a text is silent the field keeps its default.
"""

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any

from rules.profile import VENUE, Profile, value_of

Choice = tuple[Any, str]
"""A value and the sentence that settles it."""


def _profile(name: str, title: str, prefix: str, drops: str = "", **choices: Choice) -> Profile:
    """`prefix`: the text's short name; `drops`: its sentence on what a drop is."""
    sources = {rule: f"{prefix} {where}".strip() for rule, (_, where) in choices.items()}
    if drops:
        sources["drops"] = f"{prefix} {drops}"
    values = {rule: value for rule, (value, _) in choices.items()}
    return Profile(name=name, title=title, sources=MappingProxyType(sources), **values)


def _quadriglia(name: str, title: str, seed: str, wait: str, agreement: str) -> Profile:
    """Texts 000 and 003 agree in everything but the numbers of some sentences."""
    return _profile(
        name,
        title,
        seed,
        f"{seed[-1]}.5",
        pawn_ranks=((2, 7), f"{seed[-1]}.8"),
        promoted_reverts=(True, f"{seed[-1]}.9"),
        promotion=("lying_pawn", f"{seed[-1]}.20"),
        promotion_kinds=("all", f"{seed[-1]}.21"),
        promotion_unnamed=("pending", f"{seed[-1]}.21"),
        drop_check=(True, f"{seed[-1]}.12"),
        drop_mate=("yes", f"{seed[-1]}.12"),
        drop_in_check=(True, f"{seed[-1]}.11"),
        mate=("any_drop", f"{seed[-1]}.14"),
        wait=("while_time", wait),
        dropped_pawn_double=(True, f"{seed[-1]}.10"),
        drop_castle=("yes", f"{seed[-1]}.13"),
        available=("on_capture", f"{seed[-1]}.6"),
        reserve=("visible", f"{seed[-1]}.6"),
        partner_hands=("forbidden", f"{seed[-1]}.22"),
        advice=("allowed", f"{seed[-1]}.22"),
        first_end=("match", f"{seed[-1]}.3"),
        one_board_draw=("continue", f"{seed[-1]}.4"),
        stalemate=("wait", f"{seed[-1]}.17"),
        fifty=("literal", f"{seed[-1]}.18"),
        insufficient=("never", f"{seed[-1]}.17"),
        agreement=("both_teams", agreement),
        resignation=("match", f"{seed[-1]}.3"),
        seats=("opposite_colours", f"{seed[-1]}.2"),
    )


LAMPAQUATTRO = _quadriglia("lampaquattro", "Quadriglia (lampaquattro, mangia e passa)", "000", "0.15", "0.19")
SCACCO_BRATTO = _quadriglia("scacco-bratto", "Scacco bratto, Scacchistica Milanese", "003", "3.15", "3.19")

GALLARATE = _profile(
    "gallarate",
    "Scacchi Gallarate",
    "001",
    "1.2",
    pawn_ranks=((2, 7), "1.5"),
    promoted_reverts=(True, "1.6 (optional)"),
    promotion=("lying_pawn", "1.13"),
    promotion_kinds=("all", "1.13"),
    promotion_unnamed=("pending", "1.13"),
    mate=("any_drop", "1.9"),
    wait=("unlimited", "1.10"),
    drop_castle=("ask", "(silent)"),
    reserve=("visible", "1.16"),
    partner_hands=("forbidden", "1.17"),
    advice=("allowed", "1.17"),
    two_flags=("first", "1.8"),
    both_ends=("order", "1.8"),
    first_end=("match", "1.3"),
    one_board_draw=("continue", "1.4"),
    stalemate=("wait", "1.13"),
    fifty=("literal", "1.13"),
    insufficient=("never", "1.13"),
    agreement=("both_teams", "1.13"),
    resignation=("match", "1.3"),
    seats=("opposite_colours", "1.2"),
)

BIVACCO = _profile(
    "bivacco",
    "Bivacco dello Scacco",
    "002",
    "2.3",
    pawn_ranks=((2, 7), "2.8"),
    promoted_reverts=(True, "2.9"),
    drop_check=(True, "2.3"),
    drop_mate=("yes", "2.3"),
    drop_in_check=(True, "2.3"),
    drop_castle=("ask", "(silent)"),
    illegal_move=("loses", "2.6"),
    partner_hands=("forbidden", "2.4"),
    partner_clock=("forbidden", "2.4"),
    advice=("allowed", "2.4"),
    clocks=("outer_sides", "2.5"),
    two_flags=("ask", "2.7"),
    first_end=("match", "2.6"),
    one_board_draw=("repetition", "2.7"),
    stalemate=("wait", "2.7"),
    repetition=("report_both", "2.7"),
    fifty=("none", "2.7"),
    agreement=("not_provided", "2.7"),
    resignation=("match", "2.6"),
    seats=("opposite_colours", "2.2"),
)

USCF = _profile(
    "uscf",
    "US Chess 2006",
    "USCF",
    pawn_ranks=((2, 7), "2006"),
    drop_mate=("yes", "2006"),
    touch=("clock_move", "5"),
    illegal_move=("loses", "7"),
    clocks=("outer_sides", "4"),
    time_control=("300+0", "2006"),
    swapped_king_queen=("castling_exchanged", "2004 8c"),
)

FICS = _profile(
    "fics",
    "Free Internet Chess Server",
    "FICS",
    pawn_ranks=((2, 7), "help bughouse"),
    promoted_reverts=(True, "help bughouse"),
    drop_mate=("yes", "help bughouse"),
)

FATICS = _profile(
    "fatics",
    "FatICS, a server of the same kind",
    "FatICS",
    pawn_ranks=((2, 7), "source"),
    promotion=("any", "source"),
    mate=("any_drop", "source"),
    drop_castle=("no", "source"),
    insufficient=("never", "source"),
)

CHESS_COM = _profile(
    "chess-com",
    "chess.com",
    "chess.com 349",
    pawn_ranks=((2, 7), ""),
    promoted_reverts=(True, ""),
    drop_mate=("yes", ""),
    mate=("any_drop", ""),
    dropped_pawn_double=(True, ""),
    available=("on_capture", ""),
    time_control=("180+0", ""),
)

CZECH = _profile(
    "czech",
    "Laws of Bughouse, Czech federation and WBN",
    "CZ",
    pawn_ranks=((2, 7), ""),
    promoted_reverts=(True, ""),
    promotion_kinds=("queen_knight", ""),
    drop_castle=("yes", ""),
    available=("on_clock", "1.6"),
    pass_by=("next_turn", "1.6"),
    touch=("clock_move", "1.1"),
    reserve=("visible", "1.7-1.8"),
    advice=("allowed", ""),
    clocks=("outer_sides", "1.1"),
    start=("together", "1.2"),
)

CZECH_OPEN = _profile(
    "czech-open",
    "Czech Open 2016, L-Bughouse",
    "CZO",
    touch=("clock_move", "2016"),
    one_board_draw=("match", "2016"),
    stalemate=("match", "2016"),
    time_control=("180d2", "2016"),
)

KNSB = _profile(
    "knsb",
    "Dutch federation 1988 and 2000",
    "KNSB",
    pawn_ranks=((2, 7), "2000 2.5"),
    promotion=("upright_pawn", "2000 3.1"),
    drop_check=(False, "2000 2.4, 1988 5A"),
    available=("on_clock", "1988 3"),
    touch=("touch_move", "FIDE blitz"),
    reserve=("visible", "2000 2.6"),
    clocks=("outer_sides", "1988 2"),
)

MSO = _profile(
    "mso",
    "Mind Sports Olympiad, exchange chess",
    "MSO 2019",
    drop_check=(True, ""),
    drop_mate=("no_bughouse_mate", ""),
    illegal_move=("loses", ""),
    two_flags=("draw", ""),
    both_ends=("draw", ""),
    time_control=("300+0", ""),
)

GENEVA = _profile(
    "geneva",
    "Geneva tournament",
    "GEN",
    pawn_ranks=((2, 7), ""),
    promotion=("upright_pawn", "9"),
    drop_mate=("yes", ""),
    mate=("stock", "8"),
    touch=("touch_move", "FIDE blitz"),
    clocks=("outer_sides", "5"),
    stalemate=("wait", "8"),
    insufficient=("never", "FIDE 9.6 cancelled"),
    time_control=("180+0", ""),
)

BERLIN = _profile(
    "berlin",
    "Berlin Bughouse Gathering",
    "BER",
    pawn_ranks=((2, 7), ""),
    drop_mate=("yes", ""),
    time_control=("180+0", ""),
)

DEIDESHEIM = _profile(
    "deidesheim",
    "TSG Deidesheim",
    "DEI",
    pawn_ranks=((2, 7), "6"),
    drop_mate=("yes", "7"),
    illegal_move=("loses", "9"),
    refusal=("loses", "10"),
    partner_hands=("forbidden", "4"),
    two_flags=("draw", "3"),
    one_board_draw=("match", "11.2"),
    stalemate=("match", "3"),
    time_control=("300+0", ""),
)

SCHWAIGERN = _profile(
    "schwaigern",
    "Schachfreunde Schwaigern",
    "SCHW",
    pawn_ranks=((2, 7), "2(1)b"),
    promotion_unnamed=("queen", "2(1)c"),
    drop_mate=("no_bughouse_mate", "2(1)d"),
    mate=("any_drop", "2(1)e"),
    wait=("while_time", "2(1)e"),
    illegal_drop=("removed", "2(1)b, d"),
    partner_clock=("forbidden", "3(3)"),
    clocks=("outer_sides", "3"),
    time_control=("300+0", ""),
)

BAD_HOMBURG = _profile(
    "bad-homburg",
    "SK Bad Homburg",
    "HOM",
    drop_mate=("no_bughouse_mate", "7.3"),
    touch=("touch_move", "6"),
    illegal_move=("loses", "6"),
    clocks=("outer_sides", "5"),
    time_control=("180+2", ""),
)

ENNIGERLOH = _profile(
    "ennigerloh",
    "SV Ennigerloh-Oelde",
    "ENN",
    drop_mate=("yes", ""),
    mate=("any_drop", "3a"),
    dropped_pawn_double=(True, ""),
    drop_castle=("yes", "5b"),
    reserve=("visible", "5c"),
    two_flags=("draw", "4b"),
    both_ends=("draw", "4c"),
    agreement=("all_players", "4a"),
)

LANDSKRONE = _profile(
    "landskrone",
    "SC Landskrone 1994",
    "LAN",
    available=("on_capture", "3.2"),
    partner_hands=("allowed", "2.3"),
    partner_clock=("allowed", "2.3"),
    clocks=("outer_sides", "1.3"),
    start=("together", "2.1"),
    two_flags=("draw", ""),
)

KNIGHTS = _profile(
    "knights",
    "Knights Chess Club",
    "KCC",
    available=("on_clock", "4"),
    touch=("clock_move", ""),
    illegal_move=("corrected", "7"),
    time_control=("300+0", ""),
)

CSC = _profile("csc", "CSC 2014, silent", "CSC 2014", advice=("silent", ""))

HAWAII = _profile(
    "hawaii",
    "Hawaii",
    "HAW",
    touch=("clock_move", ""),
    two_flags=("draw", ""),
    time_control=("300+2", "2025"),
)

EXETER = _profile(
    "exeter",
    "Exeter Chess Club 2016",
    "EXE",
    drop_mate=("yes", ""),
    available=("on_capture", ""),
    touch=("clock_move", "10"),
    reserve=("visible", ""),
    time_control=("720+0", ""),
)

PALERMO = _profile(
    "palermo",
    "Circolo Palermitano",
    "PAL",
    reserve=("visible", ""),
    colours=("fixed", ""),
    time_control=("300+5", ""),
)

VELOCE = _profile(
    "veloce",
    "Veloce Club 2012",
    "VEL 2012",
    promotion=("lying_pawn", ""),
    promotion_kinds=("queen_or_reserve", ""),
    promotion_unnamed=("queen", ""),
)

WERNER = _profile(
    "werner",
    "H. J. Werner 1983/95",
    "HJW",
    drop_mate=("yes", ""),
    touch=("touch_move", "5"),
    partner_hands=("forbidden", "4"),
    time_control=("300+0", ""),
)

WIKIPEDIA = _profile(
    "wikipedia",
    "Wikipedia (en)",
    "WP",
    promoted_reverts=(True, ""),
    drop_mate=("yes", ""),
    dropped_pawn_double=(True, ""),
    available=("on_capture", ""),
    illegal_move=("loses", ""),
    two_flags=("draw", ""),
    both_ends=("draw", ""),
    repetition=("without_reserves", ""),
)

AMATVEIAKIN = _profile(
    "amatveiakin",
    "amatveiakin/bughouse-chess, Modern",
    "AMA",
    pawn_ranks=((2, 6), "Modern"),
    promotion=("any", "Upgrade"),
    mate=("any_drop", ""),
    drop_castle=("no", ""),
    two_flags=("first", ""),
    repetition=("drops_reset", ""),
    fifty=("none", ""),
)

OSCF = _profile(
    "oscf",
    "Ontario Scholastic Chess Federation",
    "OSCF",
    mate=("any_drop", ""),
    wait=("while_time", ""),
    touch=("clock_move", ""),
    illegal_move=("loses", ""),
)

SCHWEINFURT = _profile(
    "schweinfurt",
    "SK Schweinfurt 2024",
    "SWF 2024",
    drop_mate=("yes", ""),
    dropped_pawn_double=(True, ""),
)

PROFILES: Mapping[str, Profile] = MappingProxyType(
    {
        profile.name: profile
        for profile in (
            SCACCO_BRATTO,
            LAMPAQUATTRO,
            GALLARATE,
            BIVACCO,
            USCF,
            FICS,
            FATICS,
            CHESS_COM,
            CZECH,
            CZECH_OPEN,
            KNSB,
            MSO,
            GENEVA,
            BERLIN,
            DEIDESHEIM,
            SCHWAIGERN,
            BAD_HOMBURG,
            ENNIGERLOH,
            LANDSKRONE,
            KNIGHTS,
            CSC,
            HAWAII,
            EXETER,
            PALERMO,
            VELOCE,
            WERNER,
            WIKIPEDIA,
            AMATVEIAKIN,
            OSCF,
            SCHWEINFURT,
        )
    }
)
"""Every preset of bughouse by name; the first is the default."""

CRAZYHOUSE = _profile(
    "crazyhouse",
    "Crazyhouse",
    "lichess",
    drop_castle=("no", ""),
    mate=("no_move", ""),
    promotion=("any", ""),
    one_board_draw=("match", ""),
    stalemate=("match", ""),
    repetition=("with_reserves", ""),
    fifty=("none", ""),
)

CHESS = _profile(
    "chess",
    "FIDE Laws of Chess",
    "FIDE",
    promotion=("any", "3.7.3.3"),
    mate=("no_move", "1.4.1"),
    one_board_draw=("match", "9"),
    stalemate=("match", "5.2.1"),
    repetition=("without_reserves", "9.2"),
    fifty=("fide", "9.3"),
    insufficient=("fide", "5.2.2"),
)

COUNTERS = _profile("counters", "Quad Wrangle", "004")
"""One-board games have one profile each and no choice of it. Counters know none of the differences between men."""


def adapted(profile: Profile, changes: Mapping[str, Any], authority: str = VENUE) -> Profile:
    """A profile with some fields changed, each then on `authority`. Raises ProfileError."""
    typed = {rule: value_of(rule, value) for rule, value in changes.items()}
    sources = dict(profile.sources) | dict.fromkeys(typed, authority)
    return replace(profile, **typed, sources=MappingProxyType(sources)) if typed else profile
