"""How the models beside `vision/` were made, and how well they do; making them needs torch."""
