"""A match that runs: threads with queues between them, and nothing else shared.

camera ─► eye (view, reader, follower) ─► referee ─► writer (journal) ─► acknowledgement back to the referee
                 ▲ position ────────────────┘ │ ▲
                                              │ └── panel, keyboard, dashboard: what people do
                                              └───► panel (lamps, sound), board (screens), told (stdout)

ports            what an eye needs: a view of the table, sources of frames, readers, starters
recorded         a film or a folder of images as a source; source_name: how people name one
enlarged         the camera's large picture of a settled table, where it shows the same moment
other_size       what was read in it, in the pixels that are watched
mat_reader       the reader of a mat: markers followed, pieces read, in the game's words
thread_channels  a slot that keeps the latest value, and a board that many watch
messages         what goes through the referee's inbox
starting         how a game begins: from a set-up, from the table, or from a state that somebody made
gathering        several looks at a table made one, before a game is known
told_already     what a verdict has to do with the record
visits           hands that came: how often, whose, and where they were
attended         who was at the table, and what changed since it agreed with the record
followed         what of a game is followed from look to look
left_behind      what was read between hands and came to nothing yet
steadying        what nobody touched has not moved
eye              frames in, signals out
looking          the thread that looks: frames from the source through the eye to the referee
referee_thread   the thread that holds the match
writer           the thread that holds the journal
panel            the thread that holds lamps and buttons
oled             the small display of the table, in a thread of its own
desk             what screens and keyboards may do with a match
making           how a match is put together, for a command as for a box
wiring           the one place where the real camera, view and readers are put together
stopwatch        how long rulings take, for those who measure
running          starts all of it, and stops it cleanly
"""
