"""What may be known of hidden hands by counting: odds, help for both, advice on an open hand."""
