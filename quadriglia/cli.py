"""The command line. What a user can put right ends in one line on stderr and exit code 2."""

import io
import json
import sys
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console

from quadriglia import reading
from quadriglia.bench import run_bench
from quadriglia.boards import parse_corners
from quadriglia.calibrating import advice, save_camera, save_picture, write_tags
from quadriglia.calibrating import calibrate as find
from quadriglia.checking import check_file
from quadriglia.demo import lines, run_demo
from quadriglia.errors import UserError
from quadriglia.evening import choose_posts, run_live
from quadriglia.exporting import export_record, show_cameras, verify_record
from quadriglia.filming import list_irregularities
from quadriglia.filming import simulate as film_match
from quadriglia.matches import choose_cameras, choose_side, choose_sources, play
from quadriglia.opening import choose_game, choose_match
from quadriglia.pageserver import PORT
from quadriglia.profiletable import show_profiles
from quadriglia.ruling import choose_profile
from quadriglia.score import ScoreError
from quadriglia.score import score as compare
from quadriglia.sight import Sight
from quadriglia.words import printable, terminal_language, words
from rules.countermatch import GAMES as COUNTER_GAMES
from rules.seats import BOARDS, BoardName
from vision.camera import CameraSource
from vision.reader import ModelError, Reader
from vision.source import SourceError

say = words(terminal_language())
app = typer.Typer(
    help=say("help"),
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)

FOUR_CORNERS = '"x,y x,y x,y x,y"'


def option(name: str, metavar: str | None = None) -> Any:
    """An option whose help is in the catalogue under its name."""
    return typer.Option(name, metavar=metavar, help=say(f"help.{name}"), show_default=False)


Out = Annotated[Path | None, option("--out", "DIR")]
Profile = Annotated[str | None, option("--profile", "NAME")]
Venue = Annotated[Path | None, option("--venue", "FILE")]
Game = Annotated[str, option("--game", "bughouse|crazyhouse|chess|quadwrangle|affollata")]
Json = Annotated[bool, option("--json")]


@app.command(help=say("help.demo"))
def demo(headless: Annotated[bool, option("--headless")] = False, out: Out = None) -> int:
    return run_demo(Console(), say, out, page=not headless)


@app.command(help=say("help.replay"))
def replay(
    folder: Annotated[Path | None, typer.Argument(metavar="DIR", help=say("help.folder"), show_default=False)] = None,
    board_a: Annotated[Path | None, option("--board-a", "SRC")] = None,
    board_b: Annotated[Path | None, option("--board-b", "SRC")] = None,
    game: Game = "bughouse",
    start: Annotated[str | None, option("--start", "START")] = None,
    fps: Annotated[float | None, option("--fps", "N")] = None,
    out: Out = None,
    corners_a: Annotated[str | None, option("--corners-a", FOUR_CORNERS)] = None,
    corners_b: Annotated[str | None, option("--corners-b", FOUR_CORNERS)] = None,
    pockets_a: Annotated[str | None, option("--pockets-a", "h|a")] = None,
    pockets_b: Annotated[str | None, option("--pockets-b", "h|a")] = None,
    page: Annotated[bool, option("--page")] = False,
    profile: Profile = None,
    venue: Venue = None,
) -> None:
    match = choose_match(game, choose_profile(profile, venue), start)
    chosen = match.game
    sources = choose_sources(chosen, folder, (board_a, board_b), fps)
    given = [parse_corners(text) if text else None for text in (corners_a, corners_b)]
    cameras = choose_cameras(chosen, sources, given, (pockets_a, pockets_b), venue)
    play(Console(), say, match, cameras, out, page)


@app.command(help=say("help.live"))
def live(
    camera_a: Annotated[str | None, option("--camera-a", "SRC")] = None,
    camera_b: Annotated[str | None, option("--camera-b", "SRC")] = None,
    game: Game = "bughouse",
    start: Annotated[str | None, option("--start", "START")] = None,
    out: Out = None,
    pockets_a: Annotated[str | None, option("--pockets-a", "h|a")] = None,
    pockets_b: Annotated[str | None, option("--pockets-b", "h|a")] = None,
    profile: Profile = None,
    venue: Venue = None,
    port: Annotated[int, option("--port", "N")] = PORT,
    lan: Annotated[bool, option("--lan")] = False,
    hours: Annotated[float, option("--hours", "N")] = 3.0,
) -> None:
    match = choose_match(game, choose_profile(profile, venue), start)
    posts = choose_posts(match.game, (camera_a, camera_b), (pockets_a, pockets_b), venue)
    run_live(Console(), say, match, posts, out, port, lan, hours)


@app.command(help=say("help.cameras"))
def cameras() -> None:
    show_cameras(Console(), say)


@app.command(help=say("help.verify"))
def verify(folder: Annotated[Path, typer.Argument(metavar="DIR", help=say("help.record_folder"))]) -> int:
    return verify_record(Console(), say, folder)


@app.command(help=say("help.export"))
def export(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help=say("help.record_folder"))],
    out: Annotated[Path | None, option("--out", "DIR")] = None,
) -> None:
    export_record(Console(), say, folder, out)


@app.command(help=say("help.read"))
def read(
    images: Annotated[list[Path], typer.Argument(metavar="IMAGE...", help=say("help.images"))],
    corners: Annotated[str | None, option("--corners", FOUR_CORNERS)] = None,
    corners_from: Annotated[Path | None, option("--corners-from", "FILE.jsonl")] = None,
    game: Annotated[str, option("--game", "bughouse|crazyhouse|chess")] = "bughouse",
    as_json: Json = False,
) -> int:
    if corners and corners_from:
        raise UserError("corners_twice")
    chosen = choose_game(game)
    if chosen in COUNTER_GAMES:
        raise UserError("no_men", game=chosen)
    given = parse_corners(corners) if corners else None
    file = reading.CornersFile(corners_from) if corners_from else None
    sight = Sight(Reader())
    failed = 0
    for image in images:
        got = None
        try:
            got = reading.read(image, file.of(image) if file else given, sight, chosen)
        except (UserError, SourceError) as error:
            failed = 2
            complain(error)
        if as_json:
            print(reading.as_json(str(image), got), flush=True)
        elif got:
            print(f"{image}: {got.placement}\n{reading.diagram(got.placement)}", flush=True)
    return failed


@app.command(help=say("help.calibrate"))
def calibrate(
    source: Annotated[
        Path | None, typer.Argument(metavar="IMAGE|VIDEO", help=say("help.calibrate_source"), show_default=False)
    ] = None,
    board: Annotated[str, option("--board", "A|B")] = "A",
    game: Game = "bughouse",
    camera: Annotated[str | None, typer.Option("--camera", metavar="N", help=say("help.calibrate_camera"))] = None,
    corners: Annotated[str | None, option("--corners", FOUR_CORNERS)] = None,
    pockets: Annotated[str | None, typer.Option("--pockets", metavar="h|a", help=say("help.calibrate_pockets"))] = None,
    venue: Annotated[Path | None, typer.Option("--venue", metavar="FILE", help=say("help.calibrate_venue"))] = None,
    out: Annotated[Path | None, typer.Option("--out", metavar="PICTURE", help=say("help.overlay"))] = None,
    tags: Annotated[Path | None, option("--print-tags", "FILE.pdf")] = None,
) -> None:
    if board.upper() not in BOARDS:
        raise UserError("board", board=board)
    name: BoardName = "A" if board.upper() == "A" else "B"
    if tags:
        write_tags(say, tags, name)
    elif (source is None) == (camera is None):
        raise UserError("calibrate_what")
    if source or camera:
        side = choose_side("bughouse", pockets) if pockets else None
        looked_at = CameraSource(name, camera) if camera else Path(source or "")
        sight = Sight(Reader(), choose_game(game))
        found = find(looked_at, name, parse_corners(corners) if corners else None, side, sight)
        if out:
            save_picture(found, out)
        if venue:
            save_camera(found, camera or str(source), name, venue)
        print(found.as_json())
        for line in advice(say, found):
            print(line, file=sys.stderr)


@app.command(help=say("help.simulate"))
def simulate(
    game: Annotated[Path | None, typer.Argument(metavar="GAME", help=say("help.simulate_game"))] = None,
    out: Annotated[Path | None, typer.Option("--out", metavar="DIR")] = None,
    seed: Annotated[int, option("--seed", "N")] = 0,
    irregularity: Annotated[list[str] | None, option("--irregularity", "KIND@PLY")] = None,
    max_pause: Annotated[float | None, option("--max-pause", "SECONDS")] = None,
    pockets: Annotated[str, option("--pockets", "h|a")] = "h",
    list_all: Annotated[bool, option("--list-irregularities")] = False,
) -> None:
    if list_all:
        list_irregularities(Console(), say)
    elif game is None or out is None:
        raise UserError("simulate_what")
    else:
        film_match(
            Console(), say, game, out, seed, irregularity or [], max_pause, choose_side("bughouse", pockets) or "h"
        )


@app.command(help=say("help.check"))
def check(
    file: Annotated[Path, typer.Argument(metavar="FILE.bpgn", help=say("help.check_file"))],
    profile: Profile = None,
    venue: Venue = None,
    as_json: Json = False,
) -> int:
    return check_file(Console(), say, file, choose_profile(profile, venue), as_json)


@app.command(help=say("help.bench"))
def bench(as_json: Json = False) -> None:
    run_bench(Console(), say, as_json)


@app.command(help=say("help.profiles"))
def profiles(
    names: Annotated[
        list[str] | None, typer.Argument(metavar="[NAME...]", help=say("help.profile_names"), show_default=False)
    ] = None,
    venue: Venue = None,
    as_json: Json = False,
) -> None:
    show_profiles(Console(), say, names or [], venue, as_json)


@app.command(help=say("help.score"))
def score(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help=say("help.score_folder"))],
    truth: Annotated[Path, option("--truth", "DIR")],
    as_json: Json = False,
) -> None:
    found = compare(folder, truth)
    print(json.dumps(found.as_json()) if as_json else "\n".join(lines(found, say)))


def main(arguments: list[str] | None = None) -> int:
    """Run a command and return its exit code: 0, 1 (a demo that read the match wrongly, a record with findings), 2 or
    130 (interrupted)."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # a letter that the terminal lacks is no reason to fail
            stream.reconfigure(errors="backslashreplace")
    try:
        given = sys.argv[1:] if arguments is None else arguments
        code = app(given or ["--help"], prog_name="quadriglia", standalone_mode=False)
    except (UserError, SourceError, ModelError, ScoreError, OSError) as error:
        complain(error)
        return 2
    except (KeyboardInterrupt, typer.Abort):
        code = 130
    except Exception as error:
        # A wrong option or argument. Typer brings its own copy of click or uses the installed one, by version.
        if not hasattr(error, "format_message"):
            raise
        complain(error)
        return 2
    if code == 130:  # what Typer makes of Ctrl-C
        print(say("run.interrupted"), file=sys.stderr)
    return code if isinstance(code, int) else 0


def complain(error: Exception) -> None:
    """One line on stderr: what is wrong, where, and what to do."""
    if isinstance(error, UserError):
        line = say(f"error.{error.key}", **error.values)
    elif isinstance(error, SourceError):
        line = say(f"error.source.{error.fault}", path=error.path)
    elif hasattr(error, "format_message"):
        line = " ".join(error.format_message().split()).rstrip(".") + ". " + say("error.see_help")
    else:
        line = str(error)
    print(f"quadriglia: {printable(line)}", file=sys.stderr)
