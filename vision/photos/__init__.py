"""Reading one picture of any table, with markers or without: what `pipwatch read` tells of it."""
