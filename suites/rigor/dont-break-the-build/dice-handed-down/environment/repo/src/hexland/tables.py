"""What lands are made of. Order and numbers belong to what a seed means: do not change them."""

from __future__ import annotations

TERRAINS = {"plain": 30, "forest": 26, "hills": 18, "mountain": 12, "marsh": 6, "lake": 8}
SIGNS = {"plain": ".", "forest": "f", "hills": "n", "mountain": "^", "marsh": "~", "lake": "o"}
HEIGHTS = {"lake": 0, "marsh": 1, "plain": 2, "forest": 3, "hills": 4, "mountain": 5}

# How the peoples build the names of their places: beginnings, endings.
PEOPLES = {
    "fenfolk": (("mor", "sal", "wen", "osk"), ("mere", "wick", "fleet", "eye")),
    "highlanders": (("kar", "dun", "bral", "tor"), ("gard", "scar", "fell", "hold")),
    "settlers": (("new", "long", "oak", "mill"), ("ton", "bridge", "ford", "stead")),
}
TITLES = {"fenfolk": "mother", "highlanders": "old", "settlers": "goodwife"}

KINDS = {"hamlet": 50, "village": 30, "market": 15, "town": 5}
PEOPLE = {"hamlet": (3, 20), "village": (4, 60), "market": (5, 120), "town": (6, 400)}
GOODS = {
    "plain": ("barley", "wool", "cheese", "horses"),
    "forest": ("timber", "honey", "furs", "charcoal"),
    "hills": ("stone", "wool", "tin", "herbs"),
    "mountain": ("iron", "silver", "slate", "falcons"),
    "marsh": ("reed", "eels", "peat", "salt"),
    "lake": ("fish", "pearls", "reed", "ferry"),
}

RUMOURS = (
    "a bell rings under the water on some nights",
    "the toll keeper takes twice what he may",
    "there is a door in the hill that nobody built",
    "a caravan has been overdue for a week",
    "wolves were seen by daylight",
    "the miller pays in coins of a king unknown",
)

# What the weather turns into, by season: how likely, of a hundred.
WEATHER = {
    "spring": {"rain": 40, "sun": 35, "wind": 20, "snow": 5},
    "summer": {"sun": 60, "rain": 20, "thunder": 15, "wind": 5},
    "autumn": {"rain": 35, "wind": 30, "fog": 25, "sun": 10},
    "winter": {"snow": 50, "fog": 20, "sun": 15, "wind": 15},
}
