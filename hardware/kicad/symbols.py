"""The symbols of the schematics: our own, so that they are the same whatever libraries are installed.

Lengths are millimetres on KiCad's grid of 1.27. In a symbol y points up, on a sheet it points down.
"""

from sexpr import Word, effects

YES, NO = Word("yes"), Word("no")
STROKE = ["stroke", ["width", 0.254], ["type", Word("default")]]
NO_FILL = ["fill", ["type", Word("none")]]


def line(*points):
    return ["polyline", ["pts"] + [["xy", x, y] for x, y in points], STROKE, NO_FILL]


def box(left, top, right, bottom):
    return ["rectangle", ["start", left, top], ["end", right, bottom], STROKE, NO_FILL]


class Symbol:
    """A symbol: what is drawn, and pins as (number, name, x, y, direction into the symbol, kind)."""

    def __init__(self, name, prefix, value, drawing, pins, show_pins=False, description=""):
        self.name, self.prefix, self.value = name, prefix, value
        self.drawing, self.pins, self.show_pins = drawing, pins, show_pins
        self.description = description

    def pin(self, number):
        """Where the wire to this pin ends, as x to the right and y down from the symbol's place."""
        for found, _, x, y, _, _ in self.pins:
            if found == str(number):
                return x, -y
        raise KeyError(f"{self.name} has no pin {number}")

    def node(self, library=""):
        """The symbol as KiCad's libraries and schematics hold it."""

        def text_property(name, value, hide=True):
            return ["property", name, value, ["at", 0, 0, 0], effects(hide=hide)]

        def pin_node(number, name, x, y, direction, kind):
            return [
                "pin", Word(kind), Word("line"), ["at", x, y, direction], ["length", 2.54 if self.show_pins else 1.27],
                ["name", name, effects()], ["number", number, effects()],
            ]

        node = ["symbol", library + self.name]
        if not self.show_pins:
            node += [["pin_numbers", ["hide", YES]], ["pin_names", ["offset", 0], ["hide", YES]]]
        else:
            node += [["pin_names", ["offset", 0.762]]]
        node += [["exclude_from_sim", NO], ["in_bom", YES], ["on_board", YES]]
        node += [
            text_property("Reference", self.prefix, hide=False),
            text_property("Value", self.value, hide=False),
            text_property("Footprint", ""),
            text_property("Datasheet", ""),
            text_property("Description", self.description),
        ]
        node.append(["symbol", f"{self.name}_0_1"] + self.drawing)
        node.append(["symbol", f"{self.name}_1_1"] + [pin_node(*pin) for pin in self.pins])
        node.append(["embedded_fonts", NO])
        return node


def two_pins(first, second):
    """Pins 1 and 2 at the left and the right, or above and below."""
    horizontal = first[1] == 0
    ways = (0, 180) if horizontal else (270, 90)
    return [("1", "1", *first, ways[0], "passive"), ("2", "2", *second, ways[1], "passive")]


REED = Symbol(
    "Reed", "S", "Reed switch",
    [
        line((0, 2.54), (0, 1.524)), line((0, -2.54), (0, -1.524)), line((0, -1.524), (0.889, 1.143)),
        ["arc", ["start", -1.27, 1.27], ["mid", 0, 2.54], ["end", 1.27, 1.27], STROKE, NO_FILL],
        ["arc", ["start", 1.27, -1.27], ["mid", 0, -2.54], ["end", -1.27, -1.27], STROKE, NO_FILL],
        line((-1.27, 1.27), (-1.27, -1.27)), line((1.27, 1.27), (1.27, -1.27)),
    ],
    two_pins((0, 3.81), (0, -3.81)),
    description="Reed switch, normally open; which way round does not matter",
)

BUTTON = Symbol(
    "Button", "S", "Push button",
    [
        line((0, 2.54), (0, 1.778)), line((0, -2.54), (0, -1.778)), line((0.889, 1.524), (0.889, -1.524)),
        line((0.889, 0), (2.286, 0)), line((2.286, 0.762), (2.286, -0.762)),
        ["circle", ["center", 0, 1.397], ["radius", 0.381], STROKE, NO_FILL],
        ["circle", ["center", 0, -1.397], ["radius", 0.381], STROKE, NO_FILL],
    ],
    two_pins((0, 3.81), (0, -3.81)),
    description="Push button, normally open",
)

DIODE = Symbol(
    "Schottky", "D", "BAT85",
    [
        line((-1.27, 1.27), (-1.27, -1.27), (1.27, 0), (-1.27, 1.27)),
        line((0.635, 0.762), (0.635, 1.27), (1.27, 1.27), (1.27, -1.27), (1.905, -1.27), (1.905, -0.762)),
        line((-2.54, 0), (-1.27, 0)), line((1.27, 0), (2.54, 0)),
    ],
    [("1", "K", 3.81, 0, 180, "passive"), ("2", "A", -3.81, 0, 0, "passive")],
    description="Schottky diode; pin 1 is the cathode, the end with the ring",
)

RESISTOR = Symbol(
    "Resistor", "R", "R", [box(-2.54, 1.016, 2.54, -1.016)], two_pins((-3.81, 0), (3.81, 0)),
    description="Resistor",
)

CAPACITOR = Symbol(
    "Capacitor", "C", "100n",
    [line((-0.508, 1.524), (-0.508, -1.524)), line((0.508, 1.524), (0.508, -1.524)), line((-2.54, 0), (-0.508, 0)), line((0.508, 0), (2.54, 0))],
    two_pins((-3.81, 0), (3.81, 0)),
    description="Capacitor",
)


def connector(name, rows, description, names=None, kinds=None, half_width=5.08):
    """Two rows of pins: odd numbers at the left, even ones at the right, as on ribbon connectors."""
    names, kinds = names or {}, kinds or {}
    top = (rows - 1) * 1.27
    pins = []
    for row in range(rows):
        y = top - 2.54 * row
        odd, even = 2 * row + 1, 2 * row + 2
        edge = half_width + 2.54
        pins.append((str(odd), names.get(odd, "~"), -edge, y, 0, kinds.get(odd, "passive")))
        pins.append((str(even), names.get(even, "~"), edge, y, 180, kinds.get(even, "passive")))
    drawing = [box(-half_width, top + 2.54, half_width, -top - 2.54)]
    return Symbol(name, "J", name, drawing, pins, show_pins=True, description=description)


# The 40-pin header of every Pi since the model B+. Source: the Raspberry Pi documentation.
PI_NAMES = {
    1: "3V3", 2: "5V", 3: "GPIO2", 4: "5V", 5: "GPIO3", 6: "GND", 7: "GPIO4", 8: "GPIO14", 9: "GND", 10: "GPIO15",
    11: "GPIO17", 12: "GPIO18", 13: "GPIO27", 14: "GND", 15: "GPIO22", 16: "GPIO23", 17: "3V3", 18: "GPIO24",
    19: "GPIO10", 20: "GND", 21: "GPIO9", 22: "GPIO25", 23: "GPIO11", 24: "GPIO8", 25: "GND", 26: "GPIO7",
    27: "GPIO0", 28: "GPIO1", 29: "GPIO5", 30: "GND", 31: "GPIO6", 32: "GPIO12", 33: "GPIO13", 34: "GND",
    35: "GPIO19", 36: "GPIO16", 37: "GPIO26", 38: "GPIO20", 39: "GND", 40: "GPIO21",
}
PI_GROUND = [pin for pin, name in PI_NAMES.items() if name == "GND"]

# One pin of each supply is its source; were there two, the rule check would take them for two supplies.
PI_HEADER = connector(
    "Pi_header", 20, "40-pin header of a Raspberry Pi", PI_NAMES, {1: "power_out", 6: "power_out"}, half_width=12.7,
)
RIBBON_34 = connector("Ribbon_34", 17, "34-way ribbon between interface board and matrix board: odd pins signals, even pins ground")
RIBBON_10 = connector("Ribbon_10", 5, "10-way ribbon")

TVS = Symbol(
    "TVS_array", "U", "SRV05-4", [box(-7.62, 6.35, 7.62, -6.35)],
    [
        ("1", "IO1", -10.16, 3.81, 0, "passive"), ("2", "GND", -10.16, 0, 0, "power_in"),
        ("3", "IO2", -10.16, -3.81, 0, "passive"), ("4", "IO3", 10.16, -3.81, 180, "passive"),
        ("5", "VCC", 10.16, 0, 180, "power_in"), ("6", "IO4", 10.16, 3.81, 180, "passive"),
    ],
    show_pins=True, description="Array of four TVS diodes, SOT-23-6",
)

ADC = Symbol(
    "Converter", "U", "MCP3208", [box(-10.16, 12.7, 10.16, -12.7)],
    [(str(n + 1), f"CH{n}", -12.7, 8.89 - 2.54 * n, 0, "input") for n in range(8)]
    + [
        ("16", "VDD", 12.7, 8.89, 180, "power_in"), ("15", "VREF", 12.7, 6.35, 180, "input"),
        ("13", "CLK", 12.7, 3.81, 180, "input"), ("12", "DOUT", 12.7, 1.27, 180, "tri_state"),
        ("11", "DIN", 12.7, -1.27, 180, "input"), ("10", "CS", 12.7, -3.81, 180, "input"),
        ("14", "AGND", 12.7, -6.35, 180, "power_in"), ("9", "DGND", 12.7, -8.89, 180, "power_in"),
    ],
    show_pins=True, description="Analogue-to-digital converter, 8 channels of 12 bits, SPI",
)

HALL = Symbol(
    "Hall_sensor", "H", "DRV5055A1", [box(-7.62, 5.08, 7.62, -5.08)],
    [
        ("1", "VCC", -10.16, 2.54, 0, "power_in"), ("2", "GND", -10.16, -2.54, 0, "power_in"),
        ("3", "OUT", 10.16, 0, 180, "output"),
    ],
    show_pins=True, description="Linear Hall sensor, TO-92",
)

ALL = [REED, BUTTON, DIODE, RESISTOR, CAPACITOR, PI_HEADER, RIBBON_34, RIBBON_10, TVS, ADC, HALL]
