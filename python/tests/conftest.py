"""What the tests share."""

import signal
import sys
from pathlib import Path

import pytest

import conpole

sys.path.insert(0, str(Path(__file__).parents[1] / "examples"))
# What a shell runs in the background ignores Ctrl-C, and tests of it would wait for ever.
signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(params=conpole.domain_names())
def domain(request: pytest.FixtureRequest) -> conpole.Domain:
    """Each of the domains that come with conpole."""
    return conpole.Domain(request.param)


@pytest.fixture
def sorting() -> conpole.Domain:
    return conpole.Domain("sorting")
