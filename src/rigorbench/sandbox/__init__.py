"""Sandboxes made with bubblewrap: a recorded *box* for agents, a measured *cell* for programs under judgement.

The shared part, which both front ends and `rigorbench.bench.replay.sandbox` use:

    bwrap       a `View` (what a sandbox shows, and its namespaces) becomes bubblewrap's command line
    layout      what every sandbox shows of the host, and what must not show below it; a `mount.Mount` is one piece
    cgroups     finding, limiting, ending and removing control groups (versions 1 and 2); `rlimits` where there are none
    hardening   the system calls that every sandbox refuses, a seccomp filter; `bpf` assembles filters
    trees proc inputs syscalls      files that programs wrote, /proc, open files with a given content, raw system calls
    languages programs toolchain    the tools that a task needs, and the Python with pytest

A command in a box (`box/`), for agents and hidden tests. Each process is forked by the one it is indented below:

    run process       `box.Box.exec` sends a `wire.Exec` with the command's streams; asyncio
      zygote          `zygote`: started once, with an empty environment; forks one supervisor for each box
        supervisor    `supervisor`: starts bubblewrap (`namespaces`, `layout`), enforces `limits`, records (`capture`)
          bwrap       makes the namespaces; its child is process 1 inside: `sleep`, which adopts orphans
          mount gate  `mount_gate`: has joined the box's process namespace, so that what it forks is inside
            runner    `runner`: joins control groups (`groups`) and the other namespaces, waits, reports the end
              command sets resource limits and filters, drops all rights, and becomes the program

So no program of ours is inside. The kernel stops every program start of a recorded command until the supervisor, which
listens to the command's filter (`capture.seccomp`), has recorded it: `capture.recorder` puts `capture.tee` between the
program and its output, and lets `capture.scan` store the work tree. The run process reads the output with `pipes`.

A program in a cell (`cell/`), for submissions, compilers, checkers and interactors:

    judge             `cell.Cell.run`: `running` makes a control group (`groups`) and sends the request
      bwrap           started once for each cell by `launch`, which then waits for "ready"
        supervisor    `supervisor`: process 1 of the cell; between two runs it is the only process
          program     joins the control group, changes its user, gets its last filter (`filter`), and is executed

`running` reads the output (`streams`) and lets `watch` look at time, memory and `disk` until the supervisor has waited
for the program, ended every other process, and sent the exit status. Then it reads the figures and removes the group.

What a killed run left is removed by the next one: `box.directories`, `cell.launch`, `cgroups.left_over`.
"""
