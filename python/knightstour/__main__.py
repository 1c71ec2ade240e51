"""Makes ``python -m knightstour`` the command line."""

import sys

from knightstour.cli import main

if __name__ == "__main__":
    sys.exit(main())
