"""What may be known of hidden hands by counting: odds, hints for both, advice on an open hand."""
