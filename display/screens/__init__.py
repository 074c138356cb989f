"""Screens: functions of a view model that draw onto any surface of any size."""
