"""A match that runs: threads with queues between them, and nothing else shared.

camera ─► eye (gate, reader, follower) ─► referee ─► writer (journal) ─► acknowledgement back to the referee
                 ▲ position ────────────────┘ │ ▲
                                              │ └── panel, keyboard, dashboard: what people do
                                              └───► panel (lamps, sound), board (screens), told (stdout)

ports     what an eye needs: sources of frames, readers, starters
channels  a slot that keeps the latest value, and a board that many watch
messages  what goes through the referee's inbox
told_already what a verdict has to do with the record
visits    hands that came: how often, whose, and where they were
steadying what nobody touched has not moved
eye       frames in, signals out
referee   the thread that holds the match
writer    the thread that holds the journal
panel     the thread that holds lamps and buttons
wiring    the one place where the real camera, gate and readers are put together
stopwatch how long rulings take, for those who measure
running   starts all of it, and stops it cleanly
"""
