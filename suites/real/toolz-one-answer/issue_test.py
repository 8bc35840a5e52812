from functools import partial

from toolz import memoize


def rate(currency, day=None):
    return currency, day


def test_each_currency_has_its_own_answer():
    call = memoize(rate)
    assert [call("EUR", day=1), call("CHF", day=1), call("EUR", day=2)] == [("EUR", 1), ("CHF", 1), ("EUR", 2)]
    assert [call("EUR"), call("CHF")] == [("EUR", None), ("CHF", None)]


def test_the_same_call_is_made_once():
    seen = []
    call = memoize(lambda *args, **kwargs: seen.append((args, kwargs)))
    for _ in range(2):
        call(1, 2, x=3)
        call(2, 1, x=3)
        call(x=3)
        call()
    assert seen == [((1, 2), {"x": 3}), ((2, 1), {"x": 3}), ((), {"x": 3}), ((), {})]


def test_keys_without_positional_arguments_stay():
    stored = {}
    call = memoize(lambda *args, **kwargs: 7, cache=stored)
    call()
    call(day=1)
    call("EUR")
    assert list(stored) == [(None, None), (None, frozenset({("day", 1)})), (("EUR",), None)]


def test_what_has_no_name_is_memoized():
    call = memoize(partial(rate, "EUR"))
    assert [call(day=1), call(day=2), call()] == [("EUR", 1), ("EUR", 2), ("EUR", None)]

    class Rate:
        def __call__(self, currency):
            return currency

    call = memoize(Rate())
    assert [call("EUR"), call("CHF")] == ["EUR", "CHF"]
