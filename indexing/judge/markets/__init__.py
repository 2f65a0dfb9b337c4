"""Markets, one module each: which events they emit, and what those say of sales."""
