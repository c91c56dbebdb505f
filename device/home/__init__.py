"""What the box tells others at home: a broker of messages, a collector of figures, its owner's terminal.

All of it is a view of the match or of the box's health: it decides nothing, and the game never waits for it.

broker      the settings of a message broker, and the topics of this box on it
letters     a view of the match as messages (pure)
post        sends them, and lets the house confirm where its owner allows that
prometheus  the box's health as figures for a collector (pure)
wellbeing   the box's health as sentences for its owner (pure)
"""
