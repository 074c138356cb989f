"""Other people's readers of pictures, in a process of their own: one that hangs or crashes takes nothing with it."""
