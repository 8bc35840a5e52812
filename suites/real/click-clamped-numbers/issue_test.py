import click
import pytest
from click.testing import CliRunner


@click.command()
@click.option("--jobs", type=click.IntRange(1, 16, clamp=True), default=2)
def build(jobs):
    click.echo(f"{jobs} jobs")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [(["--jobs", "4"], "4"), (["--jobs", "40"], "16"), (["--jobs", "-3"], "1"), ([], "2"), (["--jobs", "16"], "16")],
)
def test_jobs_are_clamped(arguments, said):
    assert CliRunner().invoke(build, arguments).output == f"{said} jobs\n"


@pytest.mark.parametrize(
    ("bounds", "value", "expected"),
    [
        ({"max": 16}, "4", 4),
        ({"max": 16}, "17", 16),
        ({"min": 3}, "4", 4),
        ({"min": 3}, "-4", 3),
        ({"min": 0, "max": 9, "min_open": True}, "0", 1),
        ({"min": 0, "max": 9, "min_open": True}, "5", 5),
        ({"min": 0, "max": 9, "max_open": True}, "9", 8),
        ({}, "5", 5),
    ],
)
def test_one_bound_or_two(bounds, value, expected):
    assert click.IntRange(**bounds, clamp=True).convert(value, None, None) == expected


@pytest.mark.parametrize(("value", "expected"), [("0.25", 0.25), ("-1", 0.0), ("7.5", 1.5), ("1.5", 1.5)])
def test_floats_are_clamped(value, expected):
    assert click.FloatRange(0.0, 1.5, clamp=True).convert(value, None, None) == expected


@pytest.mark.parametrize(
    ("kind", "value", "said"),
    [
        (click.IntRange(0, 3), "5", "0<=x<=3"),
        (click.IntRange(0), "-1", "x>=0"),
        (click.IntRange(0, 3, min_open=True), "0", "0<x<=3"),
        (click.IntRange(1, 3), "5", "1<=x<=3"),
        (click.IntRange(max=0), "5", "x<=0"),
        (click.FloatRange(0.0, 1.5), "2", "0.0<=x<=1.5"),
        (click.FloatRange(0.0, 1.5, max_open=True), "1.5", "0.0<=x<1.5"),
    ],
)
def test_a_range_is_described_by_both_ends(kind, value, said):
    @click.command()
    @click.option("--level", type=kind)
    def run(level):
        click.echo(level)

    refused = CliRunner().invoke(run, ["--level", value])
    assert refused.exit_code == 2
    assert f"{float(value) if kind.name == 'float range' else value} is not in the range {said}." in refused.output
    assert f"[{said}]" in CliRunner().invoke(run, ["--help"]).output


def test_a_clamped_float_range_without_an_end_goes_no_further():
    kind = click.FloatRange(0, 1, max_open=True)
    kind.clamp = True
    assert kind.convert("0.5", None, None) == 0.5
    with pytest.raises(RuntimeError):
        kind.convert("1.5", None, None)
