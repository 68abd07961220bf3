"""`python -m workbench`: the command line."""

import sys

from workbench.lab.cli.program import run

if __name__ == "__main__":
    sys.exit(run())
