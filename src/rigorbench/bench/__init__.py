"""Running agents in recorded sandboxes: the only package that imports the engine (Inspect).

How a run becomes a row of a table:

    planning/               the cells of an experiment (task, agent, harness, model, repeat), and which are missing
    preflight, evaluation   one small call to each model; then one Inspect task for a model, whose samples are runs
    engine/                 a run: `prepared` and `live` set up box, harness and journal; `agents/` work in it
    recording/              calls, tokens and failures into the journal; the sandbox records commands and states itself
    engine.ending           why the run ended: by the agent, a limit, an outage
    scoring.finish          in a process of its own: replay, RigorScore, review, `outcome/` by hidden tests; result.json
    experiment              results compared by task and condition; `report.tables` and `report.experiment` show them
"""
