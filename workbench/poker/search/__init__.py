"""The rest of a hand, solved again while it is played; and games in two phases."""
