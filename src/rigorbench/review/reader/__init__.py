"""A session as a language model or a person reads it, what they are asked, and what they answer.

``digest`` makes one text of a session, ``request`` the question, ``backends`` ask it, ``store`` keeps the answers. What
an answer is worth is checked in ``review``, where the facts are known.
"""
