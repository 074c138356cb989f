"""One table: the loop and the devices it reads and steers."""
