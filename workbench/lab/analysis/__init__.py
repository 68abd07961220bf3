"""Questions about equilibria: how wide is their range, who can be exploited?"""
