"""A match as one HTML file: nothing fetched, no script, readable on a phone and on paper."""
