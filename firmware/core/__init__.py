"""What everything else stands on: files, settings, clocks, errors, names."""
