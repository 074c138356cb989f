"""The first start: language, Wi-Fi, the camera's aim, the table measured, lamps and names, from a phone's browser."""
