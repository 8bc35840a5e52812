"""The leaderboard: entries, boards, ranks, and its static site."""
