"""What every test runs under: the same examples each time, none judged by its time, and children that can be interrupted.

`pytest --hypothesis-profile=exploring` draws other examples every time: what it finds becomes an example of a test.
"""

import signal

from hypothesis import settings

settings.register_profile("settled", deadline=None, derandomize=True)
settings.register_profile("exploring", deadline=None)
settings.load_profile("settled")

# A shell lets what it starts in the background ignore Ctrl-C, and children inherit that.
signal.signal(signal.SIGINT, signal.default_int_handler)
