"""Limit betting: round by round, as one tree, and in parts where experts play."""
