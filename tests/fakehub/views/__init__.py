"""How GitHub shows things in JSON; every one is checked against its published description."""
