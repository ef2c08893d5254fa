"""What the tests share."""

import sys
from pathlib import Path

import pytest

import conpole

sys.path.insert(0, str(Path(__file__).parents[1] / "examples"))


@pytest.fixture(params=conpole.domain_names())
def domain(request: pytest.FixtureRequest) -> conpole.Domain:
    """Each of the domains that come with conpole."""
    return conpole.Domain(request.param)


@pytest.fixture
def sorting() -> conpole.Domain:
    return conpole.Domain("sorting")
