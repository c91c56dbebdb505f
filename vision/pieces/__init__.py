"""Reading the pieces on a table: find them, read each, and make of all readings one that holds together."""
