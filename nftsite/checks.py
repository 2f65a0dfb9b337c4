"""System checks: what of the settings can only be judged as a whole."""
