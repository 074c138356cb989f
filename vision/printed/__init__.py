"""Things printed and measured: the table file, the tags' contents, the cards' shape."""
