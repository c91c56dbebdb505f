"""A match at the table, as pure logic: what is seen and pressed goes in, what to keep and show comes out.

Nothing here has a clock, a thread or a file. `device.live` runs it.

    phase        the states a match can be in
    signals      all that can reach it: verdicts, the gate, the camera, buttons, words, the journal
    match        what a match knows, and what it asks others to do
    acts         what each signal does
    transitions  the transition table: phase × signal → act; what is not in it is ignored
    lamp_signs   lamps and sounds: each phase is told by lamp alone and by sound alone
    match_view   a match as plain data, for screens
"""
