"""ENS: how a name is spelt, and what address it stands for, asked of a node."""
