"""The panel at the table: buttons, lamps and a buzzer, or the keyboard in their place.

debounce  presses out of the chatter of a contact, as pure logic
show      which lamps burn and whether the buzzer sounds at any time, as pure logic
keyboard  what a typed line stands for
pins      the real things, through gpiozero
"""
