"""`python -m commonroom` is `commonroom`."""

from commonroom.cli import main

if __name__ == "__main__":
    main()
