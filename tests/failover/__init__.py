"""Three hosts with PostgreSQL, two with the service: the leader goes away in every way, again and again."""
