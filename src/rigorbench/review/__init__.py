"""The review of a session: checks with evidence and advice, and the grades of a reader, if one has read it.

How a log becomes a review:

    session.registry        finds the reader of a log's format; it builds the session's model (`Trajectory`)
    evidence.walk.extract   reads it once, call by call: edits, test runs, commits, plans; then episodes, claims
    session                 `Session`: the events, what is known of each, and what a replay found
    grades                  `review_session`: below, in this order
      work                  views on the session that several checks share
      catalogue, checks/    each check is one rule, registered with its sentence and advice: findings with their events
      reading               the grades of a reader; without one, `observations` say what is proven of each pillar
    verdict                 one sentence from findings and grades; `document` writes JSON, `pages/` what is seen

None of the checks reads text: what needs judgement is for the reader.
"""
