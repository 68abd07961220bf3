"""`python -m workbench`: the command line."""

import sys

from workbench.lab.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
