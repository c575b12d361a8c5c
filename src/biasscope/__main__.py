"""`python -m biasscope` is the command line."""

from biasscope.cli import main

main()
