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
import io
import json
import os
import re
import socket
import subprocess
import sys
import tarfile
import tempfile
import time
import uuid
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, urlencode, urlsplit

if TYPE_CHECKING:
    from collections.abc import Callable

    Fields = list[tuple[str, str]]  # name, value
    Files = list[tuple[str, str, bytes]]  # name, name of the file, content
    Command = Callable[[argparse.Namespace], int]

DONE, NOT_ACCEPTED, USAGE, REFUSED, NO_ANSWER, STILL_JUDGING = range(6)
TRIES = 8  # of one request
TIMEOUT = 90.0  # seconds for one answer
PATIENCE = 300.0  # seconds for all tries together
WAIT = 900.0  # seconds for a verdict
MOST_SHOWN = 12  # test points of a group that did not pass
NOT_FAILED = ("accepted", "skipped")  # results of test points that are not listed one by one
EXAMPLES = """examples:
  oj_client.py submit --wait          the commit that the repository's HEAD names; waits for the verdict
  oj_client.py submit --rev abc123    another commit
  oj_client.py submit --tree . --wait the files of a directory, committed or not
  oj_client.py status 3 --wait        the verdict of submission 3
  oj_client.py budget                 how many submissions are left
  oj_client.py hint 2-large           the next hint for a group of tests, if this run may have hints
  oj_client.py hint --question "May names be empty?" --wait      asks a person
"""


class Failure(Exception):
    """Ends the client with a sentence and an exit status."""

    def __init__(self, message: str, status: int = REFUSED) -> None:
        super().__init__(message)
        self.status = status


def say(text: str) -> None:
    sys.stderr.write(clean(text) + "\n")


def show(text: str) -> None:
    sys.stdout.write(clean(text) + "\n")


def show_json(found: Any) -> None:
    sys.stdout.write(json.dumps(found) + "\n")


def clean(text: str) -> str:
    """The text without characters that act on a terminal."""
    return re.sub(
        "[\\x00-\\x08\\x0b-\\x1f\\x7f-\\x9f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ud800-\udfff\ufeff]",
        "?",
        text,
    )


# -- talking to the judge ----------------------------------------------------------------------------------------------


class UnixConnection(http.client.HTTPConnection):
    def __init__(self, path: str, timeout: float) -> None:
        super().__init__("localhost", timeout=timeout)
        self.path = path

    def connect(self) -> None:
        self.sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.sock.settimeout(self.timeout)
        self.sock.connect(self.path)


def setting(name: str) -> str:
    value = os.environ.get(name, "").strip()
    if not value:
        raise Failure(f"{name} is not set: ask whoever runs the judge for it", USAGE)
    return value


def connection() -> http.client.HTTPConnection:
    url = setting("RIGOR_OJ_URL")
    if url.startswith("unix:"):
        return UnixConnection(re.sub("^unix:(//)?", "", url), TIMEOUT)
    try:
        parts = urlsplit(url)
        if parts.scheme != "http" or not parts.hostname:
            raise ValueError
        return http.client.HTTPConnection(parts.hostname, parts.port or 80, timeout=TIMEOUT)
    except ValueError:
        raise Failure(f"RIGOR_OJ_URL must be http://HOST:PORT or unix:/path, not {url!r}", USAGE) from None


def once(method: str, path: str, body: bytes | None, headers: dict[str, str]) -> tuple[int, dict[str, str], bytes]:
    """One request: (status, headers, body)."""
    talk = connection()
    try:
        try:
            talk.request(method, path, body, headers)
        except (BrokenPipeError, ConnectionResetError):
            # The judge may have answered before it read everything (too large, no token).
            if talk.sock is None:
                raise
            answer = http.client.HTTPResponse(talk.sock, method=method)
            answer.begin()
        else:
            answer = talk.getresponse()
        return answer.status, {k.lower(): v for k, v in answer.getheaders()}, answer.read()
    finally:
        talk.close()


def ask(method: str, path: str, body: bytes | None = None, headers: dict[str, str] | None = None) -> tuple[int, bytes]:
    """A request, repeated while the judge cannot answer. All requests may be repeated safely."""
    headers = dict(headers or {}, Authorization="Bearer " + setting("RIGOR_OJ_TOKEN"))
    problem = "no answer"
    until = time.monotonic() + PATIENCE
    for attempt in range(TRIES):
        pause = min(8.0, 0.25 * 2**attempt)
        try:
            status, found, data = once(method, "/api/v1" + path, body, headers)
        except (OSError, http.client.HTTPException) as error:
            problem = f"the judge cannot be reached ({error or type(error).__name__})"
        else:
            if status not in (408, 429, 500, 502, 503, 504):
                return status, data
            problem = said(status, data)
            if found.get("retry-after", "").isdigit():
                pause = min(30.0, float(found["retry-after"]))
        if attempt + 1 == TRIES or time.monotonic() + pause > until:
            break
        time.sleep(pause)
    raise Failure(f"{problem}; tried {attempt + 1} times", NO_ANSWER)


def said(status: int, data: bytes) -> str:
    try:
        return str(json.loads(data.decode())["message"])
    except (ValueError, KeyError, TypeError):
        return f"the judge answered with status {status}"


def get(method: str, path: str, body: bytes | None = None, headers: dict[str, str] | None = None) -> bytes:
    status, data = ask(method, path, body, headers)
    if status >= 400:
        message = said(status, data)
        left = budget_of(data)
        raise Failure(f"refused: {message}" + (f" ({left})" if left else ""))
    return data


def get_json(method: str, path: str, body: bytes | None = None, headers: dict[str, str] | None = None) -> Any:
    data = get(method, path, body, headers)
    try:
        return json.loads(data.decode())
    except ValueError:
        raise Failure("the answer is not the judge's: is RIGOR_OJ_URL right?", NO_ANSWER) from None


def budget_of(data: bytes) -> str:
    try:
        return budget_line(json.loads(data.decode())["budget"])
    except (ValueError, KeyError, TypeError):
        return ""


def budget_line(budget: Any) -> str:
    if budget["limit"] is None:
        return f"{budget['used']} submissions used, no limit"
    return f"{budget['remaining']} of {budget['limit']} submissions left"


def problem_path() -> str:
    return "/problem/" + quote(setting("RIGOR_OJ_PROBLEM"), safe="")


def form(fields: Fields, files: Files) -> tuple[bytes, str]:
    """A multipart form: (body, content type)."""
    boundary = uuid.uuid4().hex
    parts: list[tuple[str, bytes]] = []
    for name, text in fields:
        parts.append((f'form-data; name="{name}"', text.encode()))
    for name, filename, value in files:
        plain = re.sub(r"[^A-Za-z0-9._+-]", "_", os.path.basename(filename)) or "file"
        parts.append((f'form-data; name="{name}"; filename="{plain}"', value))
    body = b"".join(
        b"--%s\r\nContent-Disposition: %s\r\n\r\n%s\r\n" % (boundary.encode(), disposition.encode(), value)
        for disposition, value in parts
    )
    return body + b"--%s--\r\n" % boundary.encode(), "multipart/form-data; boundary=" + boundary


# -- what is submitted -------------------------------------------------------------------------------------------------


def run_git(*arguments: str) -> tuple[bool, str]:
    """Whether a git command succeeded, and its output. It runs no hooks and asks nothing."""
    environment = dict(os.environ, GIT_TERMINAL_PROMPT="0", GIT_OPTIONAL_LOCKS="0", LC_ALL="C")
    command = ["git", "-c", "core.hooksPath=/dev/null", "-c", "safe.directory=*", *arguments]
    try:
        done = subprocess.run(command, capture_output=True, stdin=subprocess.DEVNULL, env=environment, timeout=300)
    except FileNotFoundError:
        raise Failure("git is not installed: use --tree DIR or --file FILE", USAGE) from None
    except subprocess.TimeoutExpired:
        raise Failure("git took more than 5 minutes", USAGE) from None
    said = done.stdout if done.returncode == 0 else done.stderr
    return done.returncode == 0, said.decode("utf-8", "replace").strip()


def git(*arguments: str) -> str | None:
    """Output of a git command; None: it failed."""
    good, said = run_git(*arguments)
    return said if good else None


def need_git(*arguments: str) -> str:
    """Output of a git command that must not fail."""
    good, said = run_git(*arguments)
    if not good:
        raise Failure(f"git failed: {said[-300:]}; --tree DIR submits without it", USAGE)
    return said


def commit_of(directory: str, revision: str | None) -> tuple[str, str]:
    """The commit that a revision names: (hash, subject)."""
    there = ["--git-dir", directory]
    names = [revision] if revision else ["HEAD"]
    if not revision and git(*there, "rev-parse", "--verify", "--quiet", "HEAD^{commit}") is None:
        # HEAD names a branch that was not pushed. If there is only one branch, that is meant.
        branches = (git(*there, "for-each-ref", "--format=%(refname:short)", "refs/heads") or "").split()
        if len(branches) != 1:
            what = (
                "has these branches: " + ", ".join(branches) + "; choose by --rev"
                if branches
                else "has no commit yet: push one"
            )
            raise Failure(f"the repository {directory} {what}", USAGE)
        names = branches
    found = git(*there, "rev-parse", "--verify", "--quiet", "--end-of-options", names[0] + "^{commit}")
    if found is None:
        raise Failure(f"the repository {directory} has no commit {names[0]!r}; was it pushed?", USAGE)
    # Old versions of git repeat --end-of-options in front.
    found = found.split()[-1]
    return found, git(*there, "log", "-1", "--format=%s", found) or ""


def warn_of_differences(submitted: str, pushed: bool) -> None:
    """Warn about differences between the working directory and the commit that is submitted."""
    if git("rev-parse", "--is-inside-work-tree") != "true":
        return
    head = git("rev-parse", "--verify", "--quiet", "HEAD")
    if head and head != submitted:
        hint = " (git push?)" if pushed else ""
        say(f"warning: HEAD of the working directory is {head[:10]}, which is not what is submitted{hint}")
    changes = (git("status", "--porcelain") or "").splitlines()
    if changes:
        say(f"warning: what is not committed is not submitted ({len(changes)} files)")


def bundle(directory: str, commit: str) -> bytes:
    """A git bundle of one commit and its history, made without writing to the repository."""
    with tempfile.TemporaryDirectory(prefix="oj-") as place:
        there = ["--git-dir", os.path.join(place, "r.git")]
        need_git(*there, "init", "--quiet", "--bare")
        objects = need_git("--git-dir", directory, "rev-parse", "--git-path", "objects")
        objects = os.path.abspath(objects)
        with open(os.path.join(place, "r.git", "objects", "info", "alternates"), "w", encoding="utf-8") as file:
            file.write(objects + "\n")
        need_git(*there, "update-ref", "refs/heads/submitted", commit)
        need_git(*there, "symbolic-ref", "HEAD", "refs/heads/submitted")
        path = os.path.join(place, "submitted.bundle")
        need_git(*there, "bundle", "create", "--quiet", path, "HEAD", "refs/heads/submitted")
        with open(path, "rb") as file:
            return file.read()


def of_repository(revision: str | None) -> tuple[Fields, Files, str]:
    """Fields and files of the form for a commit, and its name for messages."""
    bare = os.environ.get("RIGOR_OJ_REPOSITORY", "").strip()
    directory = bare or git("rev-parse", "--absolute-git-dir")
    if directory is None:
        raise Failure("no git repository here and no RIGOR_OJ_REPOSITORY: use --tree DIR or --file FILE", USAGE)
    commit, subject = commit_of(directory, revision)
    what = f"commit {commit[:10]} {subject[:60]}"
    warn_of_differences(commit, bool(bare))
    if bare and get_json("GET", problem_path())["repository"]:
        return [("language", "git"), ("code", commit)], [], what
    return [("language", "git"), ("code", commit)], [("file", "submitted.bundle", bundle(directory, commit))], what


def of_tree(directory: str) -> tuple[Files, str]:
    if not os.path.isdir(directory):
        raise Failure(f"{directory}: no such directory", USAGE)
    out, count = io.BytesIO(), 0
    with tarfile.open(fileobj=out, mode="w:gz") as tar:
        for base, directories, files in os.walk(directory):
            directories[:] = sorted(d for d in directories if d != ".git")
            links = [d for d in directories if os.path.islink(os.path.join(base, d))]
            for name in sorted(files + links):
                path = os.path.join(base, name)
                if not (os.path.islink(path) or os.path.isfile(path)) or name == ".git":
                    continue  # sockets and the like
                tar.add(path, os.path.relpath(path, directory), recursive=False, filter=anonymous)
                count += 1
    if not count:
        raise Failure(f"{directory}: no files there", USAGE)
    return [("file", "submitted.tar.gz", out.getvalue())], f"{count} files of {directory}"


def anonymous(info: tarfile.TarInfo) -> tarfile.TarInfo:
    info.uid = info.gid = info.mtime = 0
    info.uname = info.gname = ""
    return info


def of_file(path: str) -> tuple[Files, str]:
    try:
        with open(path, "rb") as file:
            return [("file", os.path.basename(path), file.read())], path
    except OSError as error:
        raise Failure(f"{path}: {error.strerror}", USAGE) from None


# -- commands ----------------------------------------------------------------------------------------------------------


def submit(args: argparse.Namespace) -> int:
    if args.tree is not None or args.file is not None:
        files, what = of_tree(args.tree) if args.tree is not None else of_file(args.file)
        fields = [("language", args.language or "auto")]
    else:
        if args.language is not None:
            raise Failure("--language is for --tree and --file; a repository is built as the problem says", USAGE)
        fields, files, what = of_repository(args.rev)
    body, kind = form(fields, files)
    # The key is the same for all attempts, so they are one submission.
    headers = {"Content-Type": kind, "Idempotency-Key": uuid.uuid4().hex}
    found = get_json("POST", problem_path() + "/submit", body, headers)
    if not args.json or args.wait is not None:
        (say if args.json else show)(f"submission {found['id']}: {what} ({budget_line(found['budget'])})")
    for note in found["notes"]:
        say("note: " + note)
    if args.wait is not None:
        return show_status(found["id"], args.wait, args.json)
    if args.json:
        show_json(found)
    return DONE


def status(args: argparse.Namespace) -> int:
    return show_status(args.id, args.wait, args.json)


def show_status(number: int, wait: float | None, as_json: bool) -> int:
    path = f"/submission/{number}"
    found = get_json("GET", path)
    until, pause = time.monotonic() + (wait or 0), 0.2
    while not found["over"] and time.monotonic() < until:
        time.sleep(max(0.0, min(pause, until - time.monotonic())))
        pause = min(3.0, pause * 1.4)
        found = get_json("GET", path)
    if as_json:
        show_json(found)
    else:
        show_submission(found)
    if not found["over"]:
        if wait is not None:
            say(f"still being judged after {wait:.0f} s; ask again: status {number} --wait")
        return STILL_JUDGING if wait is not None else DONE
    return DONE if wait is None or found["status"] in ("accepted", "received") else NOT_ACCEPTED


def show_submission(found: Any) -> None:
    show(f"submission {found['id']}: {words(found['status'])}{points(found)}")
    if found["status"] == "received":
        show("no result is shown for this problem")
    if found["message"]:
        show(found["message"].rstrip())
    for group in found["details"]["groups"]:
        show_group(group)
    show(budget_line(found["budget"]))


def show_group(group: Any) -> None:
    """A line for the group, and one for each of its test points that did not pass."""
    tests = group["testpoints"]
    shown = [point for point in tests if point["result"] not in NOT_FAILED]
    amounts = [most(tests, "time_msecs", " ms"), most(tests, "memory_bytes", " bytes")]
    accepted = sum(point["result"] == "accepted" for point in tests)
    passed = f"  {accepted} of {len(tests)} tests" if accepted else ""
    show(f"  {group['name']}: {words(group['result'])}{points(group)}{passed}{''.join(amounts)}")
    if group["message"]:
        show("    " + group["message"])
    for point in shown[:MOST_SHOWN]:
        amounts = [most([point], "time_msecs", " ms"), most([point], "memory_bytes", " bytes")]
        message = "  " + point["message"] if point["message"] else ""
        show(f"    {point['id'].rpartition('/')[2]}: {words(point['result'])}{''.join(amounts)}{message}")
    if len(shown) > MOST_SHOWN:
        show(f"    and {len(shown) - MOST_SHOWN} more (--json shows all)")


def words(status: str) -> str:
    return status.replace("_", " ")


def points(row: Any) -> str:
    if row["score"] is None or not row["full_score"]:
        return ""
    return f", {round(row['score'], 4):g} of {row['full_score']:g} points"


def most(tests: list[Any], what: str, unit: str) -> str:
    """The largest known value of a resource."""
    values = [point["resource_usage"][what] for point in tests if point["resource_usage"][what] is not None]
    if not values:
        return ""
    value = max(values)
    if unit == " bytes":
        value, unit = (value >> 20, " MiB") if value >= 1 << 22 else (value >> 10, " KiB")
    return f"  {value}{unit}"


def listing(args: argparse.Namespace) -> int:
    found = get_json("GET", "/submission")
    if args.json:
        show_json(found)
        return DONE
    for row in found["submissions"]:
        what = (row["revision"] or row["language"])[:10]
        show(f"{row['id']:4d}  {what:10}  {words(row['status'])}{points(row)}")
    show(budget_line(found["budget"]))
    return DONE


def problem(args: argparse.Namespace) -> int:
    found = get_json("GET", problem_path())
    if args.attachments is not None:
        unpack(get("GET", problem_path() + "/attachments"), args.attachments)
    if args.json:
        show_json(found)
        return DONE
    limits = found["limits"]
    show(f"{found['id']}: {found['title']} ({found['full_score']:g} points)")
    show(
        f"limits: {limits['time_msecs'] / 1000:g} s CPU, {limits['memory_bytes'] / (1 << 20):.0f} MiB memory, "
        f"{limits['code_bytes'] / 1024:.0f} KiB submitted"
    )
    show("languages: " + ", ".join(found["languages_accepted"]))
    show(f"feedback: {found['feedback']}")
    show(budget_line(found["budget"]))
    if args.statement:
        show("\n" + found["statement"].rstrip())
    return DONE


def unpack(data: bytes, directory: str) -> None:
    with tarfile.open(fileobj=io.BytesIO(data)) as tar:
        for member in tar.getmembers():
            path = os.path.normpath(member.name)
            if not member.isfile() or os.path.isabs(path) or path.split(os.sep)[0] == "..":
                raise Failure("the attachments contain something that is not a plain file", NO_ANSWER)
            target = os.path.join(directory, path)
            os.makedirs(os.path.dirname(target) or ".", exist_ok=True)
            content = tar.extractfile(member)
            if content is not None:
                with open(target, "wb") as file:
                    file.write(content.read())
            os.chmod(target, member.mode & 0o755 | 0o600)
            say("wrote " + target)


def budget(args: argparse.Namespace) -> int:
    found = get_json("GET", "/submission")["budget"]
    show(json.dumps(found) if args.json else budget_line(found))
    return DONE


def hint(args: argparse.Namespace) -> int:
    if args.list:
        found = get_json("GET", "/hint")
        if args.json:
            show_json(found)
            return DONE
        for row in found["asked"]:
            show_hint(row)
        show(hint_budget(found["hints"]))
        return DONE
    fields = [(name, value) for name, value in (("group", args.group), ("question", args.question)) if value]
    body, kind = urlencode(fields).encode(), "application/x-www-form-urlencoded"
    headers = {"Content-Type": kind, "Idempotency-Key": uuid.uuid4().hex}
    row = get_json("POST", problem_path() + "/hint", body, headers)
    until, pause = time.monotonic() + (args.wait or 0), 0.5
    while row["text"] is None and time.monotonic() < until:
        time.sleep(max(0.0, min(pause, until - time.monotonic())))
        pause = min(3.0, pause * 1.4)
        row = next(one for one in get_json("GET", "/hint")["asked"] if one["id"] == row["id"])
    if args.json:
        show_json(row)
    else:
        show_hint(row)
        show(hint_budget(row["hints"]))
    return STILL_JUDGING if row["text"] is None and args.wait is not None else DONE


def show_hint(row: Any) -> None:
    where = f" for {row['group']}" if row["group"] else ""
    if row["question"]:
        show(f"question {row['id']}{where}: {row['question']}")
    if row["text"] is None:
        show("not answered yet; `hint --list` shows the answer")
    else:
        show(f"hint {row['id']}{where}: {row['text']}")


def hint_budget(budget: Any) -> str:
    return f"{budget['remaining']} of {budget['limit']} hints left"


def abort(args: argparse.Namespace) -> int:
    get("POST", f"/submission/{args.id}/abort")
    found = get_json("GET", f"/submission/{args.id}")
    show(json.dumps(found) if args.json else f"submission {args.id}: {found['status']}; it counts")
    return DONE


def seconds(text: str) -> float:
    value = float(text)
    if not 0 <= value <= 86400:
        raise ValueError
    return value


def number(text: str) -> int:
    if not re.fullmatch("[1-9][0-9]{0,17}", text):
        raise ValueError
    return int(text)


def parser() -> argparse.ArgumentParser:
    everywhere = argparse.ArgumentParser(add_help=False)
    everywhere.add_argument("--json", action="store_true", help="the judge's answer as one JSON document")
    waiting = argparse.ArgumentParser(add_help=False)
    waiting.add_argument(
        "--wait",
        nargs="?",
        type=seconds,
        const=WAIT,
        metavar="SECONDS",
        help=f"wait for the verdict, at most so long (default: {WAIT:.0f})",
    )
    top = argparse.ArgumentParser(
        prog="oj_client.py",
        description=__doc__.strip(),
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    commands = top.add_subparsers(dest="command", metavar="COMMAND")
    commands.required = True

    def add(name: str, function: Command, text: str, *parents: argparse.ArgumentParser) -> argparse.ArgumentParser:
        found = commands.add_parser(name, help=text, description=text, parents=[everywhere, *parents])
        found.set_defaults(function=function)
        return found

    p = add("submit", submit, "submit a commit, a directory or a file", waiting)
    what = p.add_mutually_exclusive_group()
    what.add_argument("--rev", metavar="REV", help="a commit of the repository (default: HEAD)")
    what.add_argument("--tree", metavar="DIR", help="the files of a directory")
    what.add_argument("--file", metavar="FILE", help="one source file, archive or git bundle")
    p.add_argument("--language", metavar="L", help="language of the directory or file (default: by its file names)")
    p = add("status", status, "the result of a submission", waiting)
    p.add_argument("id", type=number, metavar="ID")
    add("list", listing, "all submissions so far")
    p = add("problem", problem, "limits and languages; the statement and the files to start from")
    p.add_argument("--statement", action="store_true", help="also show the statement")
    p.add_argument("--attachments", metavar="DIR", help="write the files to start from to DIR")
    add("budget", budget, "how many submissions are left")
    p = add("hint", hint, "ask for a hint, if this run may have hints; each one counts", waiting)
    p.add_argument("group", nargs="?", metavar="GROUP", help="a group of tests (default: the next hint of all)")
    p.add_argument("--question", metavar="TEXT", help="ask a person, who may take a while")
    p.add_argument("--list", action="store_true", help="all hints so far, with the answers")
    p = add("abort", abort, "abort a submission; it still counts")
    p.add_argument("id", type=number, metavar="ID")
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
    except (KeyError, TypeError) as error:
        say(f"oj_client: the answer is not the judge's ({error!r}): is RIGOR_OJ_URL right?")
        return NO_ANSWER


if __name__ == "__main__":
    sys.exit(main())
