"""Gives tasks to agents in recorded sandboxes, scores runs and compares conditions; only this room imports Inspect.

How a run becomes a row of a table:

    run.planning            the cells of an experiment (task, agent, harness, model, repeat), and which are missing
    run.preflight, .evaluation
                            one small call to each model; then one Inspect task for a model, whose samples are runs
    run.engine              a run: `prepared` and `live` set up box, harness and journal; `agents/` work in it
    recording/              calls, tokens and failures into the journal; the sandbox records commands and states itself
    run.engine.live.settle  why the run ended: by the agent, a limit, an outage
    run.scoring.finish      in a process of its own: replay, RigorScore, review, `outcome/` by hidden tests; result.json
    experiment/             results compared by task and condition; `pages.tables` and `pages.experiment` show them
"""
