"""From a view model to words and pixels. Decides nothing."""

import os

# pygame greets on stdout when it is imported; what is printed there is for programs that read JSON.
os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
