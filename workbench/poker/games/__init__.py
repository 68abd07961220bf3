"""Rules of poker games that bring their form along."""
