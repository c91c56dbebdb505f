"""The panel at the table: buttons, lamps and a buzzer, or the keyboard in their place.

debounce       presses out of the chatter of a contact, as pure logic
press_meaning  what presses mean, short, long and together, as pure logic
wish           what can be asked of the box by holding a button, and how that is told
showing        what lamps and buzzer show when more than a match wants to be told, as pure logic
show           which lamps burn and whether the buzzer sounds at any time, as pure logic
trial          while buttons and lamps are tried: what is shown, and who hears
keyboard       what a typed line stands for, and the thread that listens to it
gpio_pins      the real things, through gpiozero
keys           USB keypads and Bluetooth buttons in their place; ``key_names`` has the numbers of keys
sound_card     tunes through ALSA, for an amplifier on the pins
oled_face      what a small display shows, as pure logic; ``oled_settings`` says which display there is
wiring_plan    what is wired where, from the settings; ``wiring_drawing`` draws it
"""
