"""The gateway between a DGT 3000 and the line protocol."""

from canvas import COLUMN, INK, Canvas


def gateway():
    c = Canvas(390, "A DGT 3000 through a gateway: two I2C controllers on one bus, USB to the Pi")
    c.box(20, 80, 150, 190, fill="#eef4ee", radius=6)
    c.words(95, 66, "DGT 3000", 16, "middle", bold=True)
    c.box(390, 60, 260, 220, fill="#f7f7f2", radius=6)
    c.words(520, 48, "gateway: 3.3 V microcontroller", 16, "middle", bold=True)
    c.box(760, 110, 120, 110, fill="#eef4ee", radius=6)
    c.words(820, 96, "Raspberry Pi", 16, "middle", bold=True)
    for y, word, x in ((95, "SDA", 300), (140, "SCL", 340)):
        c.words(160, y + 5, word, 15, "end")
        c.line((170, y), (390, y), stroke=COLUMN, line=2)
        c.resistor(225, y, 36)
        c.words(225, y - 12, "100", 14, "middle")
        c.line((x, y), (x, y + 80), (390, y + 80), stroke=COLUMN, line=2)
        c.circle(x, y, 3.5, fill=COLUMN, stroke=COLUMN)
        c.words(400, y + 5, f"{word}, I2C 0: sends", 15)
        c.words(400, y + 85, f"{word}, I2C 1: listens", 15)
    c.words(160, 262, "ground", 15, "end")
    c.line((170, 257), (390, 257), line=2)
    c.words(400, 267, "ground", 15)
    c.words(225, 205, "3.5 mm jack\nof the clock", 14, "middle")
    c.line((650, 165), (760, 165), line=3)
    c.words(705, 155, "USB", 15, "middle")
    c.words(705, 190, "line protocol", 14, "middle")
    c.words(820, 160, "/dev/serial/\nby-id/…", 14, "middle")
    c.words(20, 315, "The clock is a master as well: it sends acknowledgements to address 0x10, times and buttons to 0x00. The gateway\ntherefore needs two controllers on the one bus: one that sends to 0x08 (to 0x28 to wake the clock), one that listens\nat 0x10 while an acknowledgement is awaited and at 0x00 otherwise. 100 kHz; each message ends in a CRC-8.", 14)
    return c


def states():
    c = Canvas(440, "States of the gateway")
    for x, y, words in (
        (130, 90, "asleep\nno answer at 0x08"), (450, 90, "waking\nwake-up to 0x28"), (770, 90, "taking control"),
        (770, 290, "ready\nstopped, times set"), (450, 290, "running\ntimes every second"), (130, 290, "lost\nsilent to the daemon"),
    ):
        c.ellipse(x, y, 108, 46, fill="#f7f7f2")
        c.words(x, y + (-4 if "\n" in words else 5), words, 15, "middle")
    c.arrow(238, 90, 342, 90)
    c.words(290, 80, "every second", 14, "middle")
    c.arrow(558, 90, 662, 90)
    c.words(610, 80, "it answers", 14, "middle")
    c.arrow(770, 136, 770, 244)
    c.words(782, 180, "acknowledged:\nfrom now on\nanswer HELLO", 14)
    c.arrow(662, 278, 558, 278)
    c.words(610, 268, "SET, runs", 14, "middle")
    c.arrow(558, 304, 662, 304)
    c.words(610, 326, "SET, stops", 14, "middle")
    c.path("M430 244 C 400 170, 500 170, 470 244", line=1.5)
    c.polygon((469, 246), (467, 234), (477, 236), fill=INK, stroke=INK, line=0.5)
    c.words(450, 172, "lever: count it, set again with the bonus", 14, "middle")
    c.arrow(342, 290, 238, 290)
    c.words(290, 280, "3 s silent", 14, "middle")
    c.path("M770 336 C 720 420, 230 420, 150 340", line=1.5)
    c.polygon((148, 336), (160, 342), (152, 350), fill=INK, stroke=INK, line=0.5)
    c.words(450, 425, "3 s silent, or a command without acknowledgement twice", 14, "middle")
    c.arrow(130, 244, 130, 136)
    c.words(142, 190, "begin again", 14)
    return c


def drawings():
    return {"dgt3000-gateway": gateway(), "dgt3000-states": states()}
