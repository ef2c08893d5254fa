"""`python -m conpole`: the program inside the package."""

import sys

from conpole_command import main

if __name__ == "__main__":
    sys.exit(main())
