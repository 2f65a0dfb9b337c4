"""A drill of order books: a large one walked beside a service that answers, and walks that are killed."""
