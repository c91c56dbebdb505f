"""The dashboard: a view on a match in the browser, and nothing that decides.

May import every other package. Whatever is shown here is in the journal, and whatever is pressed here goes
through the match like a button on the table.
"""
