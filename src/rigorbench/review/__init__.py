"""The review of a session: checks with evidence and advice, and the grades of a reader, if one has read it.

A check is one rule (``checks/``), registered with its sentence and advice (``registry``). Without a reader there are no
grades: ``grades`` says in words what is proven of each pillar. Checks and words rest on ``observations``; all see the
session through ``work``, and none of them reads text.
"""
