"""Games as other programs write them: Gambit, OpenSpiel."""
