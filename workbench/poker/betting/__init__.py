"""Limit betting: round by round, and as one tree with parts where experts play."""
