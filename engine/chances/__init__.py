"""Hidden hands by counting: odds, hints for both, advice on an open hand."""
