"""A round looked at again: how the chances went, which turns decided, and what is proved to have been better."""
