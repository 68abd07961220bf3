"""What a responder who sees her cards wins from a strategy with buckets, exactly or bounded."""
