"""`python -m quadriglia`."""

import sys

from quadriglia.cli import main

sys.exit(main())
