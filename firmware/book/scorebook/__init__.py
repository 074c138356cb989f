"""The scorebook: one file, never half written, salvaged, copied, corrected."""
