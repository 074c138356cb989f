"""A match recorded as it is refereed, and refereed again from its recording."""
