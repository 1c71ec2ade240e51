"""Pictures of tours and boards. Importing `knightstour` does not import this; drawing something does."""
