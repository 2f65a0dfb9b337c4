"""A drill: what Lighthouse makes of a collection with thirty pictures (`make drill NAME=lighthouse`)."""
