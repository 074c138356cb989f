"""Results, ratings, tables and pages made from a scorebook. Nothing is printed here."""
