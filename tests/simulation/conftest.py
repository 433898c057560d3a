"""Renderers for tests: they need EGL, which a machine may lack."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack

import pytest

from simulation.render import Renderer

Opener = Callable[[tuple[int, int]], Renderer]


@pytest.fixture(scope="session")
def open_renderer() -> Iterator[Opener]:
    """Opens renderers of a size; skips where there is none to be had."""
    pytest.importorskip("moderngl", reason="the extra `simulation` is not installed")
    with ExitStack() as opened:

        def make(size: tuple[int, int]) -> Renderer:
            try:
                made = Renderer(*size)
            except Exception as error:  # moderngl raises a plain Exception where there is no EGL
                pytest.skip(f"no EGL here: {error}")
            opened.callback(made.release)
            return made

        yield make
