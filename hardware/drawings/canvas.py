"""A small canvas for SVG drawings: shapes, words and arrows in one style, 900 wide so that they can be read on a page."""

from xml.sax.saxutils import escape

WIDTH = 900
INK, PALE, WOOD, DARK, LIGHT = "#222222", "#888888", "#e8d9bd", "#b58a5a", "#f3e7d0"
# Told apart without colour vision as well: by lightness and by what is written beside them.
ROW, COLUMN, GOOD, BAD, MAGNET, COPPER = "#a3301a", "#1d5c9b", "#1c7a3d", "#b3261e", "#5b6770", "#b87333"


class Canvas:
    def __init__(self, height, title, width=WIDTH):
        self.width, self.height, self.title = width, height, title
        self.parts = []

    def add(self, text):
        self.parts.append(text)

    def shape(self, name, fill="none", stroke=INK, line=1.5, dash=None, **attributes):
        words = " ".join(f'{key.replace("_", "-")}="{value}"' for key, value in attributes.items())
        dashes = f' stroke-dasharray="{dash}"' if dash else ""
        self.add(f'<{name} {words} fill="{fill}" stroke="{stroke}" stroke-width="{line}"{dashes}/>')

    def box(self, x, y, width, height, fill="none", radius=0, **style):
        self.shape("rect", fill, x=x, y=y, width=width, height=height, rx=radius, **style)

    def circle(self, x, y, radius, fill="none", **style):
        self.shape("circle", fill, cx=x, cy=y, r=radius, **style)

    def ellipse(self, x, y, rx, ry, fill="none", **style):
        self.shape("ellipse", fill, cx=x, cy=y, rx=rx, ry=ry, **style)

    def line(self, *points, **style):
        self.shape("polyline", points=" ".join(f"{x:g},{y:g}" for x, y in points), **style)

    def polygon(self, *points, fill=INK, **style):
        self.shape("polygon", fill, points=" ".join(f"{x:g},{y:g}" for x, y in points), **style)

    def path(self, d, fill="none", **style):
        self.shape("path", fill, d=d, **style)

    def words(self, x, y, text, size=15, anchor="start", colour=INK, bold=False, halo=None):
        """One or more lines of text; a halo of the ground's colour keeps lines off the letters."""
        weight = ' font-weight="bold"' if bold else ""
        if halo:
            weight += f' stroke="{halo}" stroke-width="5" stroke-linejoin="round" paint-order="stroke"'
        for index, line in enumerate(text.split("\n")):
            self.add(
                f'<text x="{x:g}" y="{y + index * size * 1.3:g}" font-size="{size}" text-anchor="{anchor}" '
                f'fill="{colour}"{weight}>{escape(line)}</text>'
            )

    def arrow(self, x1, y1, x2, y2, colour=INK, line=1.5, both=False, dash=None):
        """A line with a head at its second end."""
        length = ((x2 - x1) ** 2 + (y2 - y1) ** 2) ** 0.5 or 1
        ux, uy = (x2 - x1) / length, (y2 - y1) / length

        def head(x, y, sign):
            base = (x - sign * 9 * ux, y - sign * 9 * uy)
            self.polygon((x, y), (base[0] - 4 * uy, base[1] + 4 * ux), (base[0] + 4 * uy, base[1] - 4 * ux), fill=colour, stroke=colour, line=0.5)

        self.line((x1, y1), (x2, y2), stroke=colour, line=line, dash=dash)
        head(x2, y2, 1)
        if both:
            head(x1, y1, -1)

    def measure(self, x1, y1, x2, y2, text, above=True):
        """A measured length with its words."""
        self.arrow(x1, y1, x2, y2, colour=PALE, line=1.2, both=True)
        if y1 == y2:
            self.words((x1 + x2) / 2, y1 - 5 if above else y1 + 16, text, 14, "middle")
        else:
            self.words(x1 + 8, (y1 + y2) / 2 + 5, text, 14)

    def resistor(self, x, y, length=44, vertical=False):
        if vertical:
            self.box(x - 6, y - length / 2, 12, length, fill="#ffffff")
        else:
            self.box(x - length / 2, y - 6, length, 12, fill="#ffffff")

    def diode(self, x, y, size=9, backwards=False):
        """A Schottky diode that lets current flow to the right."""
        s = -size if backwards else size
        self.polygon((x - s, y - size), (x - s, y + size), (x + s, y), fill="#ffffff")
        self.line((x + s - s * 0.35, y - size * 0.6), (x + s - s * 0.35, y - size), (x + s, y - size), (x + s, y + size), (x + s + s * 0.35, y + size), (x + s + s * 0.35, y + size * 0.6))

    def reed(self, x, y, length, upright=False, closed=True):
        """A reed switch in its glass."""
        half = length / 2
        if upright:
            self.box(x - 5, y - half, 10, length, fill="#e6f0ee", radius=5)
            self.line((x, y - half - 14), (x, y + 4 if closed else y - 2), line=2.2, stroke=COPPER)
            self.line((x + 2, y + half + 14), (x + 2, y - 4 if closed else y + 6), line=2.2, stroke=COPPER)
        else:
            self.box(x - half, y - 5, length, 10, fill="#e6f0ee", radius=5)
            self.line((x - half - 14, y), (x + 4, y), line=2.2, stroke=COPPER)
            self.line((x - 4, y + 2), (x + half + 14, y + 2), line=2.2, stroke=COPPER)

    def svg(self):
        body = "\n".join(self.parts)
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {self.width} {self.height}" width="{self.width}" '
            f'height="{self.height}" font-family="Helvetica, Arial, sans-serif" role="img">\n<title>{escape(self.title)}</title>\n'
            f'<rect width="{self.width}" height="{self.height}" fill="#ffffff"/>\n{body}\n</svg>\n'
        )


class Plot:
    """Axes inside a canvas."""

    def __init__(self, canvas, left, top, width, height, xs, ys):
        self.canvas, self.left, self.top, self.width, self.height, self.xs, self.ys = canvas, left, top, width, height, xs, ys

    def at(self, x, y):
        (x0, x1), (y0, y1) = self.xs, self.ys
        return self.left + (x - x0) / (x1 - x0) * self.width, self.top + self.height - (min(y, y1) - y0) / (y1 - y0) * self.height

    def axes(self, x_ticks, y_ticks, x_words, y_words):
        c = self.canvas
        c.box(self.left, self.top, self.width, self.height)
        for tick in x_ticks:
            x, y = self.at(tick, self.ys[0])
            c.line((x, y), (x, y + 5))
            c.words(x, y + 20, f"{tick:g}", 14, "middle")
        for tick in y_ticks:
            x, y = self.at(self.xs[0], tick)
            c.line((x - 5, y), (x, y))
            c.words(x - 8, y + 5, f"{tick:g}", 14, "end")
        c.words(self.left + self.width / 2, self.top + self.height + 42, x_words, 15, "middle")
        c.words(self.left, self.top - 10, y_words, 15)

    def curve(self, points, colour, line=2.5, dash=None):
        self.canvas.line(*[self.at(x, y) for x, y in points], stroke=colour, line=line, dash=dash)

    def band(self, low, high, fill):
        x0, y0 = self.at(self.xs[0], high)
        x1, y1 = self.at(self.xs[1], low)
        self.canvas.box(x0, y0, x1 - x0, y1 - y0, fill=fill, stroke="none")
