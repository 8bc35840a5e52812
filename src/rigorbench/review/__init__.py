"""The review of a session: checks with evidence and advice, five grades, one overall grade.

A check is one rule (``checks/``), registered with its sentence and advice (``registry``). Grades are ladders held as
data (``grades.toml``): the highest rung whose conditions hold, then caps. Conditions are names of checks and of
observations (``observations``). Both see the session through ``work``; none of them reads text.
"""
