"""How strong hands are: exact tables of Hold'em, and the signals that buckets are cut from."""
