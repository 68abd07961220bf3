"""Questions about equilibria: how wide is their range, what is dominated, who can be exploited?"""
