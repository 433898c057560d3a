"""The order in which files of tests begin, and how long an example of a property may take: as long as it does."""

import pytest
from hypothesis import settings

settings.register_profile("quadriglia", deadline=None)
settings.load_profile("quadriglia")

LONGEST = ("test_whole.py", "test_recorded.py", "test_countertracker.py", "test_engine.py")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The longest first: whoever begins them last is waited for by all."""
    order = {name: number for number, name in enumerate(LONGEST)}
    items.sort(key=lambda item: order.get(item.path.name, len(order)))
