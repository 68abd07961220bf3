"""Cards, the strength of hands, and boards up to the names of suits."""
