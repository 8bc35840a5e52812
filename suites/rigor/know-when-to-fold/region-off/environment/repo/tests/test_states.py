import pytest

from edgeplan import Host, State, state_of


@pytest.mark.parametrize(
    ("flags", "state"),
    [
        ({}, State.SERVE),
        ({"maintenance": True}, State.DRAIN),
        ({"quarantined": True}, State.REFUSE),
        ({"maintenance": True, "quarantined": True}, State.REFUSE),
    ],
)
def test_the_flags_of_a_host_decide_on_its_state(flags, state):
    assert state_of(Host("fra-a", "fra", 20, ("chat",), **flags)) is state


def test_what_a_state_means():
    assert [state.takes_new for state in State] == [True, False, False]
    assert [state.keeps_running for state in State] == [True, True, False]
