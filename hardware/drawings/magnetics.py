#!/usr/bin/env python3
"""The field of a disc magnet, for the drawings and the tables of hardware/furniture.md and hardware/crowning.md.

An evenly magnetised cylinder has the field of a coil of current around its rim; the coil is summed from thin rings, whose
field is known in closed form (complete elliptic integrals, by the arithmetic-geometric mean). Lengths in millimetres,
fields in millitesla. Nothing but Python is needed; `python3 magnetics.py` prints the tables.

What this leaves out: the reed's own iron, which draws the field into itself (switches are sold by the ampere-turns of a
test coil, which leaves it out as well), and the earth's field of 0.05 mT.
"""

import math

# Remanence of N35, the weakest of the usual grades.
N35_MT = 1190.0
GLASS_MM = 12.7
# 15 to 20 ampere-turns on the usual test coil are about this much; give or take a half.
OPERATES_MT = (0.7, 1.2)


def elliptic(parameter):
    """The complete elliptic integrals K and E."""
    a, g, total, power = 1.0, math.sqrt(1.0 - parameter), parameter, 1.0
    while abs(a - g) > 1e-13:
        a, g, c = (a + g) / 2, math.sqrt(a * g), (a - g) / 2
        power *= 2
        total += power * c * c
    k = math.pi / (2 * a)
    return k, k * (1 - total / 2)


def ring(radius, rho, z):
    """Radial and axial field of a ring at a distance rho from its axis and z above it, for a unit of mu0 times current."""
    alpha = (radius - rho) ** 2 + z * z
    beta = (radius + rho) ** 2 + z * z
    k, e = elliptic(min(4 * radius * rho / beta, 1 - 1e-12))
    scale = 1 / (2 * math.pi * math.sqrt(beta))
    axial = scale * (k + (radius**2 - rho**2 - z**2) / alpha * e)
    radial = 0.0 if rho < 1e-9 else scale * z / rho * (-k + (radius**2 + rho**2 + z**2) / alpha * e)
    return radial, axial


class Magnet:
    """A disc magnet, magnetised along its axis."""

    def __init__(self, diameter, height, remanence=N35_MT, rings=12):
        self.radius, self.height, self.remanence, self.rings = diameter / 2, height, remanence, rings

    def field(self, x, depth):
        """Field at x to the side and at a depth below the magnet's middle: along x, and along the axis."""
        along_x = axial = 0.0
        for index in range(self.rings):
            offset = self.height * ((index + 0.5) / self.rings - 0.5)
            radial, along = ring(self.radius, abs(x), -depth - offset)
            along_x += math.copysign(radial, x)
            axial += along
        share = self.remanence * self.height / self.rings
        return along_x * share, axial * share


def flat(magnet, depth, offset, along, across=0.0, steps=25):
    """Mean field along a flat reed: its middle `offset` beside the square's centre, the disc displaced by `along` in the
    same direction and by `across` at a right angle. The reed lies along the direction of the offset."""
    total = 0.0
    for step in range(steps):
        at = offset - along + GLASS_MM * ((step + 0.5) / steps - 0.5)
        distance = math.hypot(at, across)
        radial, _ = magnet.field(distance, depth)
        total += radial * (at / distance if distance > 1e-9 else 0.0)
    return abs(total / steps)


def upright(magnet, middle, displaced, steps=25):
    """Mean field along an upright reed under the square's centre, its middle so far below the magnet's."""
    total = 0.0
    for step in range(steps):
        _, axial = magnet.field(abs(displaced), middle + GLASS_MM * ((step + 0.5) / steps - 0.5))
        total += axial
    return abs(total / steps)


def main():
    for name, magnet in (("8 x 1", Magnet(8, 1)), ("10 x 1", Magnet(10, 1)), ("10 x 2", Magnet(10, 2))):
        print(f"{name} mm N35: least and most mean field along the reed, disc up to 6 mm off centre")
        steps = [6 * n / 6 for n in range(-6, 7)]
        places = [(a, b) for a in steps for b in steps if math.hypot(a, b) <= 6]
        for depth in (5, 7):
            for offset in (0, 4, 9, 10):
                fields = [flat(magnet, depth, offset, a, b) for a, b in places]
                print(f"  flat, axis {depth} mm down, {offset:2} mm off: {min(fields):5.1f} to {max(fields):5.1f} mT")
        for middle in (11, 13):
            fields = [upright(magnet, middle, a) for a in steps]
            print(f"  upright, middle {middle} mm down:     {min(fields):5.1f} to {max(fields):5.1f} mT")
        passing = max(upright(magnet, 11, 40), flat(magnet, 5, 9, -31))
        print(f"  a disc on the next light square: {passing:.3f} mT")
        for depth in (20, 25, 30):
            man = abs(magnet.field(0, depth)[1])
            king = man + abs(magnet.field(0, depth + 7)[1])
            print(f"  Hall sensor {depth} mm down: man {man:.2f} mT, king {king:.2f} mT, x{king / man:.2f}")


if __name__ == "__main__":
    main()
