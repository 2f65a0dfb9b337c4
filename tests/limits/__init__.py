"""Who may ask how much, how that is told, and what is counted of it."""
