"""``rigor reader import``: answers that were given elsewhere go into the store."""

from __future__ import annotations

import sys

from ...base.text import count as plural
from ..common import Usage, messages, parser

_EPILOG = """examples:
  rigor reader import answers.jsonl --reader anna    then: rigor score LOG --reader anna

Lines of `rigor reader export` with an answer, and the result files of OpenAI's and Anthropic's batch interfaces, which
are recognised. An answer that is stored already is left out. Exit status: 0 all lines were taken, 1 some were not.
"""


def command(arguments: list[str]) -> int:
    p = parser("reader import", "Store answers of a reader that were given elsewhere.", _EPILOG)
    p.add_argument("file", metavar="FILE", help="lines of JSON, or - for standard input")
    p.add_argument("--reader", metavar="NAME", help="who answered (default: the model that the lines state)")
    p.add_argument("--store", metavar="DIR", help="directory of the answers (default: in the user's cache directory)")
    args = p.parse_args(arguments)
    from ...reader.batch import BatchError, read_line
    from ...reader.request import PROMPT_VERSION, AnswerError, parse
    from ...reader.store import AnswerStore

    if args.reader is not None and "," in args.reader:
        raise Usage(f"--reader {args.reader}: a comma divides several readers; give one name without it")
    store, problems, taken, known = AnswerStore(args.store), list[str](), dict[str, int](), 0
    try:
        with open(0 if args.file == "-" else args.file, "rb") as file:
            lines = [(n, data) for n, data in enumerate(file, 1) if data.strip()]
    except OSError as error:
        raise Usage(f"{args.file}: cannot be read ({error.strerror})") from None
    for number, data in lines:
        where = f"{args.file}:{number}"
        try:
            digest, version, reply = read_line(data)
            if version != PROMPT_VERSION:
                raise BatchError(f"answers version {version} of the question, now it is {PROMPT_VERSION}; export again")
            parse(reply.text)
        except (BatchError, AnswerError) as error:
            problems.append(f"{where}: not taken: {error}")
            continue
        reader = args.reader or reply.model
        if reader is None:
            raise Usage(f"{where}: no model is stated; say with --reader NAME who answered")
        if any(stored.text == reply.text for stored, _ in store.answers(digest, version, reader)):
            known += 1
            continue
        store.add(digest, version, reader, reply)
        taken[reader] = taken.get(reader, 0) + 1
    messages(problems)
    stored = f"{plural(sum(taken.values()), 'answer')} stored in {store.directory}"
    print(f"{stored}, {known} stored before, {len(problems)} not taken")
    for reader in taken:
        print(f"rigor score LOG --reader {reader} uses them")
    sys.stdout.flush()
    return 1 if problems else 0
