"""The ground of the firmware: files, settings, clocks, errors, names."""
