"""The journal of a match: what was confirmed at the table, with its pictures, and never lost.

One match is one SQLite file. Events are only ever added; each carries the hash of the one before, so that a
file that was changed afterwards, or damaged, says so itself. Among the events are the entries of the game's
record (`engine.record`) word by word, so that a journal tells the same game as a record does, and more:
questions, pauses, and the pictures that a ruling rests on.

    store            the file: schema, the one writer, the chain
    events           what an event is, and how a chain of them is proved
    journal_reader   a journal read by anybody, also while it is being written
    forms            what a file was like in earlier versions, and what an update keeps of it
    readable         which of these files this version reads
    game             the record and the history that a journal holds
    ruling_pictures  pictures cut and compressed to what a ruling may cost
    case             what led to a question or a correction, as a test case
"""
