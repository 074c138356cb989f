"""The shell: devices, time, disk, configuration, and the one loop that owns the state."""
