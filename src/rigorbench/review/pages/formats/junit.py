"""JUnit XML, as pipelines show it: a suite for each session, a case for its verdict and for each finding.

A case fails where the gate says so. An input that could not be read is an error.
"""

from __future__ import annotations

from xml.etree.ElementTree import Element, SubElement, indent, tostring

from ....base.sanitize import one_line
from ...config import Gate
from ...review import Fired
from ...verdict import verdict
from .. import said
from ..outcome import Reported, ScoredSessions, relative
from ..proof import Brief


def write(outcome: ScoredSessions) -> str:
    root = Element("testsuites", name="rigor")
    for session in outcome.sessions:
        _suite(root, session, outcome.gate)
    for problem in outcome.problems:
        text = one_line(problem, 1000)
        suite = SubElement(root, "testsuite", name="rigor: unreadable input")
        case = SubElement(suite, "testcase", classname="rigor", name="read the log")
        SubElement(case, "error", message=text, type="unreadable").text = text
    for element in [*root, root]:
        for name, tag in (("tests", "testcase"), ("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
            element.set(name, str(sum(1 for _ in element.iter(tag))))
    indent(root)
    return '<?xml version="1.0" encoding="utf-8"?>\n' + tostring(root, encoding="unicode") + "\n"


def _suite(root: Element, session: Reported, gate: Gate) -> None:
    name = one_line(relative(session.source), 300)
    suite = SubElement(root, "testsuite", name=f"rigor: {name}")
    review = session.review
    case = SubElement(suite, "testcase", classname=name, name="verdict", file=name)
    if gate.too_low(review):
        words = f"overall {review.overall} is under {gate.under}: {one_line(review.reason, 500)}"
        SubElement(case, "failure", message=words, type="overall").text = words
    told = (verdict(review).sentence, *said.lines(review), said.ground(review))
    SubElement(case, "system-out").text = "\n".join(one_line(line, 500) for line in told)
    for finding, proof in session.findings:
        _case(suite, name, finding, proof, fails=gate.stops(finding))


def _case(suite: Element, session: str, finding: Fired, proof: Brief, *, fails: bool) -> None:
    message = one_line(finding.message, 1000)
    case = SubElement(
        suite, "testcase", classname=session, name=f"{finding.severity} {finding.fingerprint}", file=session
    )
    lines = [message]
    if finding.source is not None and finding.source.line is not None:
        case.set("line", str(finding.source.line))
        lines.append(f"log: {one_line(finding.source.file, 300)}:{finding.source.line}")
    if proof.shown_by is not None:
        lines.append(f"shown by: {one_line(proof.shown_by, 500)}")
    if proof.command is not None:
        lines.append(f"run: {one_line(proof.command, 500)}")
    if finding.advice is not None:
        lines.append(f"advice: {finding.advice}")
    text = "\n".join(lines)
    if fails:
        SubElement(case, "failure", message=message, type=finding.id).text = text
    else:
        SubElement(case, "system-out").text = text
