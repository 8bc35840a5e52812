import asyncio

import pytest
from tenacity import retry, retry_if_exception, stop_after_attempt


def test_a_call_within_a_call_leaves_it_alone():
    seen = []

    def again(state):
        if state.outcome.failed:
            call("lease")
        return state.outcome.failed

    @retry(retry=again, stop=stop_after_attempt(3), reraise=True)
    def call(what):
        seen.append(what)
        if what == "job":
            raise OSError
        return what

    with pytest.raises(OSError):
        call("job")
    assert seen == ["job", "lease"] * 3


def test_a_coroutine_within_a_coroutine_leaves_it_alone():
    seen = []

    async def again(state):
        if state.outcome.failed:
            await call("lease")
        return state.outcome.failed

    @retry(retry=again, stop=stop_after_attempt(3), reraise=True)
    async def call(what):
        seen.append(what)
        if what == "job":
            raise OSError
        return what

    with pytest.raises(OSError):
        asyncio.run(call("job"))
    assert seen == ["job", "lease"] * 3


def test_calls_at_the_same_time_have_attempts_of_their_own():
    attempts = {}

    async def no_wait(seconds):
        await asyncio.sleep(0)

    async def failed(state):
        await asyncio.sleep(0)
        return state.outcome.failed

    @retry(retry=failed, stop=stop_after_attempt(4), reraise=True, sleep=no_wait)
    async def call(number):
        attempts[number] = attempts.get(number, 0) + 1
        await asyncio.sleep(0)
        if attempts[number] <= number:
            raise OSError
        return number

    async def main():
        return await asyncio.gather(*(call(n) for n in range(4)))

    assert asyncio.run(main()) == [0, 1, 2, 3]
    assert attempts == {0: 1, 1: 2, 2: 3, 3: 4}


def test_a_call_alone_is_tried_again():
    seen = []

    @retry(retry=retry_if_exception(lambda error: True), stop=stop_after_attempt(2), reraise=True)
    def call():
        seen.append(1)
        raise OSError

    with pytest.raises(OSError):
        call()
    assert len(seen) == 2
