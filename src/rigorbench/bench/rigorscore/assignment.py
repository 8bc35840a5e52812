"""The linear assignment problem for plans of tens of items, without numpy, whose import would cost the most."""

from __future__ import annotations

from collections.abc import Sequence


def minimise(cost: Sequence[Sequence[float]]) -> list[int]:
    """Column of each row in an assignment of least total cost (rows <= columns; each column at most once).

    Shortest augmenting paths with potentials (Jonker and Volgenant 1987), O(rows^2 x columns).
    """
    rows = len(cost)
    columns = len(cost[0]) if rows else 0
    if rows > columns:
        raise ValueError(f"{rows} rows cannot be assigned to {columns} columns")
    infinity = float("inf")
    of_row, of_column = [0.0] * (rows + 1), [0.0] * (columns + 1)
    # row_at[j]: the row (1-based) that holds column j; 0: free. Column 0 holds the row being placed.
    row_at = [0] * (columns + 1)
    for row in range(1, rows + 1):
        row_at[0] = row
        column = 0
        least = [infinity] * (columns + 1)
        came_from = [0] * (columns + 1)
        done = [False] * (columns + 1)
        while row_at[column]:
            done[column] = True
            current = row_at[column]
            delta, nearest = infinity, 0
            costs, potential = cost[current - 1], of_row[current]
            for j in range(1, columns + 1):
                if not done[j]:
                    reduced = costs[j - 1] - potential - of_column[j]
                    if reduced < least[j]:
                        least[j], came_from[j] = reduced, column
                    if least[j] < delta:
                        delta, nearest = least[j], j
            for j in range(columns + 1):
                if done[j]:
                    of_row[row_at[j]] += delta
                    of_column[j] -= delta
                else:
                    least[j] -= delta
            column = nearest
        while column:
            row_at[column] = row_at[came_from[column]]
            column = came_from[column]
    chosen = [0] * rows
    for j in range(1, columns + 1):
        if row_at[j]:
            chosen[row_at[j] - 1] = j - 1
    return chosen
