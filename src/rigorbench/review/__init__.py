"""The review of a session: checks with evidence and advice, and the grades of a reader, if one has read it.

How a log becomes a review:

    trajectory.registry     finds the reader of a log's format; it builds the session's model (`Trajectory`)
    evidence.walk.extract   reads it once, call by call: edits, test runs, commits, plans; then episodes, claims
    metrics.session         `Session`: the events, what is known of each, and what a replay found
    session                 `review_session`: below, in this order
      work                  views on the session that several checks share
      catalogue, checks/    each check is one rule, registered with its sentence and advice: findings with their events
      grades                by a reader (`reading`); without one, in words, what `observations` prove of each pillar
    verdict                 one sentence from findings and grades; `document` writes JSON, `report.session` pages

None of the checks reads text: what needs judgement is for the reader.
"""
