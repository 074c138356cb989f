"""What a scorebook tells about matches and people: results, ratings, tables, pages. Nothing is printed here."""
