#!/usr/bin/env python3
"""Submit a project to the online judge, and see the result. One file; it needs Python 3.8 or later and nothing else.

The environment sets the judge: RIGOR_OJ_URL (http://127.0.0.1:PORT or unix:/path/of.sock), RIGOR_OJ_TOKEN,
RIGOR_OJ_PROBLEM, and RIGOR_OJ_REPOSITORY (the bare repository to submit from; default: the repository of the working
directory).

Exit status: 0 done (with --wait: accepted), 1 judged and not accepted, 2 wrong usage, 3 refused, 4 no answer from the
judge, 5 still being judged.
"""

from __future__ import annotations

import argparse
import http.client
import json
import os
import re
import socket
import subprocess
import sys
import tempfile
import time
import uuid
from contextlib import closing, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

if TYPE_CHECKING:
    from collections.abc import Callable

    Upload = tuple[str, bytes]  # name and content of a file

DONE, NOT_ACCEPTED, USAGE, REFUSED, NO_ANSWER, STILL_JUDGING = range(6)
TRIES = 8  # of one request
TIMEOUT = 90.0  # seconds for one answer
WAIT = 900.0  # seconds for a verdict
MOST_SHOWN = 12  # test points of a group that did not pass
NOT_FAILED = ("accepted", "skipped")  # results of test points that are not listed one by one
UNSAFE = "[\\x00-\\x08\\x0b-\\x1f\\x7f-\\x9f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ud800-\udfff\ufeff]"


class Failure(Exception):
    """Ends the client with a sentence and an exit status."""

    def __init__(self, message: str, status: int = USAGE) -> None:
        super().__init__(message)
        self.status = status


def say(text: str, stream: Any = sys.stderr) -> None:
    """Write a line without characters that act on a terminal."""
    stream.write(re.sub(UNSAFE, "?", text) + "\n")


def show(args: argparse.Namespace, found: Any, lines: list[str]) -> None:
    """Write a document of the judge: as JSON if that was asked for, else as these lines."""
    say(json.dumps(found) if args.json else "\n".join(lines), sys.stdout)


# -- talking to the judge ----------------------------------------------------------------------------------------------


def setting(name: str) -> str:
    value = os.environ.get(name, "").strip()
    if not value:
        raise Failure(f"{name} is not set: ask whoever runs the judge for it")
    return value


def connected() -> http.client.HTTPConnection:
    url = setting("RIGOR_OJ_URL")
    if url.startswith("unix:"):
        talk = http.client.HTTPConnection("localhost")
        talk.sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        talk.sock.settimeout(TIMEOUT)
        talk.sock.connect(re.sub("^unix:(//)?", "", url))
        return talk
    match = re.fullmatch(r"http://([^\s/:\[\]]+|\[[^\s/\]]+\])(:\d+)?/?", url)
    if match is None:
        raise Failure(f"RIGOR_OJ_URL must be http://HOST:PORT or unix:/path, not {url!r}")
    talk = http.client.HTTPConnection(match[1] + (match[2] or ""), timeout=TIMEOUT)
    talk.connect()
    return talk


def ask(method: str, path: str, body: bytes | None = None, headers: dict[str, str] | None = None) -> bytes:
    """The judge's answer. The request is repeated while the judge cannot answer; all requests may safely be."""
    headers = dict(headers or {}, Authorization="Bearer " + setting("RIGOR_OJ_TOKEN"))
    pause = 0.0
    for attempt in range(TRIES):
        time.sleep(pause)
        pause = min(8.0, 0.25 * 2**attempt)
        try:
            with closing(connected()) as talk:
                # The judge may answer before it has read everything: too large, no token.
                with suppress(BrokenPipeError, ConnectionResetError):
                    talk.request(method, "/api/v1" + path, body, headers)
                answer = talk.getresponse()
                data = answer.read()
        except (OSError, http.client.HTTPException) as error:
            problem = f"the judge cannot be reached ({error or type(error).__name__})"
        else:
            if answer.status < 400:
                return data
            try:
                found = json.loads(data)
                problem = f"{found['message']}" + (f" ({left(found['budget'])})" if found["budget"] else "")
            except (ValueError, KeyError, TypeError):
                problem = f"the judge answered with status {answer.status}"
            if answer.status not in (408, 429, 500, 502, 503, 504):
                raise Failure(f"refused: {problem}", REFUSED)
            pause = min(30.0, float(answer.headers.get("Retry-After", pause)))
    raise Failure(f"{problem}; tried {TRIES} times", NO_ANSWER)


def get(path: str) -> Any:
    return json.loads(ask("GET", path))


def post(path: str, fields: dict[str, str], file: Upload | None = None) -> Any:
    """Send a form; `file`: its name and content."""
    parts = [(f'name="{name}"', text.encode()) for name, text in fields.items()]
    if file is not None:
        plain = re.sub(r"[^A-Za-z0-9._+-]", "_", os.path.basename(file[0])) or "file"
        parts.append((f'name="file"; filename="{plain}"', file[1]))
    boundary = uuid.uuid4().hex
    body = b"".join(
        f"--{boundary}\r\nContent-Disposition: form-data; {head}\r\n\r\n".encode() + value + b"\r\n"
        for head, value in parts
    )
    body += f"--{boundary}--\r\n".encode()
    # The key is the same for all tries, so they are one submission.
    headers = {"Content-Type": f"multipart/form-data; boundary={boundary}", "Idempotency-Key": uuid.uuid4().hex}
    return json.loads(ask("POST", path, body, headers))


def of_problem(path: str = "") -> str:
    return "/problem/" + quote(setting("RIGOR_OJ_PROBLEM"), safe="") + path


def waited(look: Callable[[], Any], over: Callable[[Any], bool], seconds: float | None) -> Any:
    """What `look` gives once it is `over`, or after so many seconds."""
    until, pause, found = time.monotonic() + (seconds or 0), 0.2, look()
    while not over(found) and time.monotonic() < until:
        time.sleep(max(0.0, min(pause, until - time.monotonic())))
        pause = min(3.0, pause * 1.4)
        found = look()
    return found


# -- what is submitted -------------------------------------------------------------------------------------------------


def git(*arguments: str, must: bool = False) -> str:
    """What git prints; "" if it fails, unless it `must` not. It runs no hooks and asks nothing."""
    command = ["git", "-c", "core.hooksPath=/dev/null", "-c", "safe.directory=*", *arguments]
    environment = dict(os.environ, GIT_TERMINAL_PROMPT="0", GIT_OPTIONAL_LOCKS="0", LC_ALL="C")
    try:
        done = subprocess.run(command, capture_output=True, stdin=subprocess.DEVNULL, env=environment)
    except FileNotFoundError:
        raise Failure("git is not installed: use --file FILE") from None
    if must and done.returncode:
        error = done.stderr.decode("utf-8", "replace").strip()[-300:]
        raise Failure(f"git failed: {error}; --file FILE submits without it")
    return "" if done.returncode else done.stdout.decode("utf-8", "replace").strip()


def of_repository(revision: str) -> tuple[str, str, Upload | None]:
    """A description of a commit, the commit, and a bundle of it unless the judge has the repository."""
    bare = os.environ.get("RIGOR_OJ_REPOSITORY", "").strip()
    directory = bare or git("rev-parse", "--absolute-git-dir")
    if not directory:
        raise Failure("no git repository here and no RIGOR_OJ_REPOSITORY: use --file FILE")
    there = ("--git-dir", directory)
    commit = git(*there, "rev-parse", "--verify", "--quiet", "--end-of-options", revision + "^{commit}")
    if not commit:
        raise Failure(f"the repository {directory} has no commit {revision!r}; was it pushed?")
    commit = commit.split()[-1]  # old versions of git repeat --end-of-options in front
    if git("rev-parse", "--is-inside-work-tree") == "true":
        head = git("rev-parse", "--verify", "--quiet", "HEAD")
        if head and head != commit:
            pushed = " (git push?)" if bare else ""
            say(f"warning: HEAD of the working directory is {head[:10]}, which is not what is submitted{pushed}")
        changes = git("status", "--porcelain").splitlines()
        if changes:
            say(f"warning: what is not committed is not submitted ({len(changes)} files)")
    subject = git(*there, "log", "-1", "--format=%s", commit)
    known = bare and get(of_problem())["repository"]
    return f"commit {commit[:10]} {subject[:60]}", commit, None if known else ("bundle", bundle(directory, commit))


def bundle(directory: str, commit: str) -> bytes:
    """A git bundle of one commit and its history, made in a repository of its own that borrows the objects."""
    with tempfile.TemporaryDirectory(prefix="oj-") as place:
        there = ("--git-dir", os.path.join(place, "r.git"))
        git(*there, "init", "--quiet", "--bare", must=True)
        objects = os.path.abspath(git("--git-dir", directory, "rev-parse", "--git-path", "objects", must=True))
        Path(place, "r.git", "objects", "info", "alternates").write_text(objects + "\n", encoding="utf-8")
        git(*there, "update-ref", "HEAD", commit, must=True)
        git(*there, "bundle", "create", "--quiet", os.path.join(place, "bundle"), "HEAD", "--branches", must=True)
        return Path(place, "bundle").read_bytes()


# -- what is shown -----------------------------------------------------------------------------------------------------


def left(budget: Any) -> str:
    if budget["limit"] is None:
        return f"{budget['used']} submissions used, no limit"
    return f"{budget['remaining']} of {budget['limit']} submissions left"


def points(row: Any) -> str:
    if row["score"] is None or not row["full_score"]:
        return ""
    return f", {round(row['score'], 4):g} of {row['full_score']:g} points"


def usage(tests: list[Any]) -> str:
    """The largest known time and memory of these test points."""
    text = ""
    for name, unit, by in (("time_msecs", "ms", 1), ("memory_bytes", "KiB", 1024)):
        values = [point["resource_usage"][name] for point in tests]
        known = [value for value in values if value is not None]
        text += f"  {max(known) // by} {unit}" if known else ""
    return text


def of_group(group: Any) -> list[str]:
    """A line for a group, and one for each of its test points that did not pass."""
    tests = group["testpoints"]
    accepted = sum(point["result"] == "accepted" for point in tests)
    passed = f"  {accepted} of {len(tests)} tests" if accepted else ""
    lines = [f"  {group['name']}: {group['result'].replace('_', ' ')}{points(group)}{passed}{usage(tests)}"]
    if group["message"]:
        lines.append("    " + group["message"])
    failed = [point for point in tests if point["result"] not in NOT_FAILED]
    for point in failed[:MOST_SHOWN]:
        result, message = point["result"].replace("_", " "), point["message"] and "  " + point["message"]
        lines.append(f"    {point['id'].rpartition('/')[2]}: {result}{usage([point])}{message}")
    more = [f"    and {len(failed) - MOST_SHOWN} more (--json shows all)"] if len(failed) > MOST_SHOWN else []
    return lines + more


def of_submission(found: Any) -> list[str]:
    lines = [f"submission {found['id']}: {found['status'].replace('_', ' ')}{points(found)}"]
    lines += ["no result is shown for this problem"] if found["status"] == "received" else []
    lines += [found["message"].rstrip()] if found["message"] else []
    lines += [line for group in found["details"]["groups"] for line in of_group(group)]
    return [*lines, left(found["budget"])]


def of_hint(row: Any) -> list[str]:
    where = f" for {row['group']}" if row["group"] else ""
    lines = [f"question {row['id']}{where}: {row['question']}"] if row["question"] else []
    if row["text"] is None:
        return [*lines, "not answered yet; `hint --list` shows the answer"]
    return [*lines, f"hint {row['id']}{where}: {row['text']}"]


# -- commands ----------------------------------------------------------------------------------------------------------


def submit(args: argparse.Namespace) -> int:
    if args.file is not None:
        what, file = args.file, (args.file, Path(args.file).read_bytes())
        found = post(of_problem("/submit"), {"language": args.language or "auto"}, file)
    elif args.language is not None:
        raise Failure("--language is for --file; a repository is built as the problem says")
    else:
        what, commit, sent = of_repository(args.rev or "HEAD")
        found = post(of_problem("/submit"), {"language": "git", "code": commit}, sent)
    line = f"submission {found['id']}: {what} ({left(found['budget'])})"
    if args.json and args.wait is not None:
        say(line)
    else:
        show(args, found, [line])
    for note in found["notes"]:
        say("note: " + note)
    args.id = found["id"]
    return DONE if args.wait is None else status(args)


def status(args: argparse.Namespace) -> int:
    found = waited(lambda: get(f"/submission/{args.id}"), lambda found: found["over"], args.wait)
    show(args, found, of_submission(found))
    if args.wait is None:
        return DONE
    if not found["over"]:
        say(f"still being judged after {args.wait:.0f} s; ask again: status {args.id} --wait")
        return STILL_JUDGING
    return DONE if found["status"] in ("accepted", "received") else NOT_ACCEPTED


def listing(args: argparse.Namespace) -> int:
    found = get("/submission")
    rows = []
    for row in found["submissions"]:
        name, result = (row["revision"] or row["language"])[:10], row["status"].replace("_", " ")
        rows.append(f"{row['id']:4d}  {name:10}  {result}{points(row)}")
    show(args, found, [*rows, left(found["budget"])])
    return DONE


def budget(args: argparse.Namespace) -> int:
    found = get("/submission")["budget"]
    show(args, found, [left(found)])
    return DONE


def hint(args: argparse.Namespace) -> int:
    if args.list:
        found = get("/hint")
        rows = [line for row in found["asked"] for line in of_hint(row)]
    else:
        fields = {name: text for name, text in (("group", args.group), ("question", args.question)) if text}
        found = post(of_problem("/hint"), fields)
        number = found["id"]

        def look() -> Any:
            return next(row for row in get("/hint")["asked"] if row["id"] == number)

        if found["text"] is None:
            found = waited(look, lambda row: row["text"] is not None, args.wait)
        rows = of_hint(found)
    show(args, found, [*rows, f"{found['hints']['remaining']} of {found['hints']['limit']} hints left"])
    return STILL_JUDGING if not args.list and found["text"] is None and args.wait is not None else DONE


def parser() -> argparse.ArgumentParser:
    how = argparse.RawDescriptionHelpFormatter
    top = argparse.ArgumentParser(prog="oj_client.py", description=(__doc__ or "").strip(), formatter_class=how)
    commands = top.add_subparsers(dest="command", metavar="COMMAND", required=True)

    def add(function: Callable[[argparse.Namespace], int], text: str, name: str = "") -> argparse.ArgumentParser:
        found = commands.add_parser(name or function.__name__, help=text, description=text)
        found.set_defaults(function=function)
        found.add_argument("--json", action="store_true", help="the judge's answer as one JSON document")
        if function in (submit, status, hint):
            text = f"wait for the verdict, at most so long (default: {WAIT:.0f})"
            found.add_argument("--wait", nargs="?", type=float, const=WAIT, metavar="SECONDS", help=text)
        return found

    p = add(submit, "submit a commit or a file")
    what = p.add_mutually_exclusive_group()
    what.add_argument("--rev", metavar="REV", help="a commit of the repository (default: HEAD)")
    what.add_argument("--file", metavar="FILE", help="one source file, archive or git bundle")
    p.add_argument("--language", metavar="L", help="language of the file or archive (default: by its file names)")
    add(status, "the result of a submission").add_argument("id", type=int, metavar="ID")
    add(listing, "all submissions so far", "list")
    add(budget, "how many submissions are left")
    p = add(hint, "ask for a hint, if this run may have hints; each one counts")
    p.add_argument("group", nargs="?", metavar="GROUP", help="a group of tests (default: the next hint of all)")
    p.add_argument("--question", metavar="TEXT", help="ask a person, who may take a while")
    p.add_argument("--list", action="store_true", help="all hints so far, with the answers")
    return top


def main() -> int:
    args = parser().parse_args()
    try:
        return int(args.function(args))
    except Failure as failure:
        say(f"oj_client: {failure}")
        return failure.status
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        return DONE
    except OSError as error:
        say(f"oj_client: {error.filename}: {error.strerror}")
        return USAGE
    except (KeyError, TypeError, ValueError) as error:
        say(f"oj_client: the answer is not the judge's ({error!r}): is RIGOR_OJ_URL right?")
        return NO_ANSWER


if __name__ == "__main__":
    sys.exit(main())
