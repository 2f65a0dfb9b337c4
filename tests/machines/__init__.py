"""More machines than one: replicas that are read, PgBouncer in front, on real servers of this machine."""
