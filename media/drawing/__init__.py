"""SVGs as browsers draw them: styles, first frames and embedded pictures written out before resvg draws them."""
