"""The rules of En Garde as pure values: no clock, no files, no devices. Source: RULES.md."""
