"""Which modules say something that reaches a page, and which do not, with the reason.

A module of ``FOLDERS`` that holds a sentence and is named nowhere here fails a test: so nobody forgets the
German of a new one.
"""

from typing import Final

GAMES: Final = {
    "draw-game": (
        "engine/draw_game",
        "adopted book by_hand chain deals guide known_hands judge notation proof turns verdict",
    ),
    "dominoids": (
        "engine/dominoids",
        "adopted board book by_hand family guide judge movement notation sighted telling turn",
    ),
    "dominoes-of-war": (
        "engine/dominoes_of_war",
        (
            "adopted allowed as_it_lies book by_hand faults guide judge likeliest_field model muster notation"
            " obstacles places sighted sights stand walls"
        ),
    ),
    "kingdomino-duel": (
        "engine/kingdomino_duel",
        "adopted book by_hand course drawing guide judge kingdom notation map_score spellbook",
    ),
    "matching": (
        "engine/matching",
        "adopted as_it_is deciding guide missed outcome retelling setting_up taking_back piece_words",
    ),
    "engine": ("engine", "history squares"),
    "match": (
        "device/match",
        (
            "expected match mends transitions match_view acts/gate_acts acts/consent acts/going_on"
            " acts/people_acts acts/seen acts/steps"
        ),
    ),
}
"""Rule books and the match; modules that only read files speak to programs."""
BOX: Final = {
    "aiming": ("calibration", "camera_errors marker_side mount_drawing mounting profiles reading_needs toml"),
    "reading": ("vision", "sheet_advice pieces/looks pieces/marker_size"),
    "cameras": (
        "device/cameras",
        "own_process choosing held_lens naming picamera upright usb_hold usb_names virtual wanted webcam",
    ),
    "doctor": ("device/health", "pi_board checkup contacts extras machine parcel sight wired_parts"),
    "house": ("device/home", "broker broker_line post"),
    "record": ("device/journal", "events forms game journal_reader store"),
    "files": ("engine", "plain profile record registry"),
    "keeping": ("device/keeping", "caretaker packing stick stick_copier unpacking"),
    "eye": (
        "device/live",
        "attended enlarged looking mat_reader mishaps oled referee_thread running saying starting writer",
    ),
    "panel": ("device/panel", "fittings keys oled_settings gpio_pins sound_card"),
    "service": (
        "device/service",
        (
            "aiming beats box box_match front host last_good machinery overseer own_lens owner pairing"
            " pins_trial reception shelf stick_backup trying vitality"
        ),
    ),
    "device": (
        "device",
        (
            "lenses own_pieces power rights settings settings_form settings_meaning sheet_powers"
            " sheet_reading table_sheets typed untrusted_picture workload"
        ),
    ),
    "page": (
        "web",
        "app request_bodies first guard way_in kept_pages lobby owner_pages sheet_pages sheet_plain teach",
    ),
}
"""What the box says of itself."""
SPEAKING: Final = GAMES | BOX
FOLDERS: Final = (
    "device", "device/cameras", "device/health", "device/home", "device/journal", "device/keeping",
    "device/live", "device/match", "device/match/acts", "device/panel", "device/service", "web",
)  # fmt: skip
"""In which every module either speaks or is known to be silent."""
SILENT: Final = {
    "device/export_forms": "files that are taken along",
    "device/notation_guide": "the page of the notation, put into words by the box; tested by itself",
    "device/score_sheet": "paper",
    "device/files": "names of files",
    "device/cameras/focus": "the terminal, while a lens is turned",
    "device/health/camera_asked": "the field report",
    "device/health/service_memory": "the field report",
    "device/health/bounce": "the terminal: pipwatch pins and the field report",
    "device/health/field_checks": "the field report",
    "device/health/field_machine": "the field report",
    "device/health/watching": "the field report",
    "device/home/letters": "the house, by its broker",
    "device/home/prometheus": "collectors of figures",
    "device/home/wellbeing": "the terminal: pipwatch status",
    "device/journal/case": "files that are taken along",
    "device/journal/readable": "names of files",
    "device/keeping/belongings": "names of files",
    "device/keeping/bundle": "files for bug reports",
    "device/live/recorded": "the terminal: a box sees no recordings",
    "device/live/source_name": "the terminal: a box has its camera from the settings",
    "device/panel/keyboard": "the terminal",
    "device/panel/oled_face": "the small display",
    "device/panel/wiring_drawing": "paper",
    "device/panel/wiring_plan": "paper",
    "device/service/address": "the log and the machine's own screen",
    "device/service/announcing": "the log and the machine's own screen",
    "device/service/hotspot": "the log",
    "device/service/listing": "lists of the network, which other programs show",
    "device/service/report": "files for bug reports",
    "device/journal/ruling_pictures": "programs",
    "device/match/board_marks": "programs that read drawings",
    "device/match/phase": "names of phases, which are words of the page",
    "device/match/remembered": "programs that read matches",
    "device/match/resuming": "programs that read matches",
    "device/match/signals": "names of presses",
    "web/access": "programs",
    "web/following": "the line on which a match is followed",
    "web/reference": "programs",
    "web/openapi": "programs",
}
"""Modules whose sentences no page shows, and where they go instead."""
INWARD: Final = frozenset(
    {"ValueError", "TypeError", "KeyError", "BadData", "RuntimeError", "AssertionError", "note", "startswith",
     "get", "obj", "text"}
)  # fmt: skip
"""What rule books and matches give to programs, and names of data: nobody at a table reads them."""
BOX_INWARD: Final = frozenset(
    {"KeyError", "AssertionError", "startswith", "endswith", "removeprefix", "partition", "get", "obj",
     "text", "cast", "Thread", "execute", "executescript", "say", "_say", "print", "compile", "Response"}
)  # fmt: skip
"""The same of the box, whose wrong values and broken cameras are told to people; the log is none."""
OUTWARD: Final = frozenset(
    {
        "device/cameras/held_lens",
        "device/cameras/picamera",
        "device/cameras/webcam",
        "device/home/post",
        "device/panel/keys",
    }
)
"""Where what is printed or said does reach a page: a camera's process tells its faults and its lens so."""
UNHEARD: Final = frozenset(
    {
        "pipwatch: {sentence}",
        "pipwatch: {words}",
        "pipwatch: an answer is shown without its picture: {wrong}",
        "Webcam {number}{told}",
        "{title}, {entries} entries",
        "in the lobby",
        "at a match{game}",
        "closing a match",
        "another version",
        "a camera that nothing is known of",
        "there is no shipped profile {name} (a file of your own ends in .toml); known are: {known}.{hint}",
        " Did you mean {close}?",
        "size_mm and height_mm should be larger than 0",
        "size_mm should give the length first, then the width",
        "colours should be red, green and blue from 0 to 255",
        "1 phone is",
        "{phones} phones are",
        "phone was",
        "phones were",
        "frequency capped",
        "under-voltage before",
        "frequency capped before",
        "throttled before",
        "hot before",
        "sudo apt install python3-luma.oled",
        "sudo apt install alsa-utils",
        "sudo chown -R {name} {there}",
        "sudo apt install --reinstall ./pipwatch_*.deb",
        "engine.{replace}",
        "the seed",
        "what is alike",
        "Raspberry Pi ",
        "Compute Module 4",
        "Compute Module 5",
    }
)
"""Lines of the log, of systemd and of programs, commands, and names, in modules that speak otherwise."""
