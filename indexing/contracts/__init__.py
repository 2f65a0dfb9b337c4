"""What contracts are, as far as their logs alone do not say: asked of the node, once or until they tell."""
