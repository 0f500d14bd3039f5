"""Writes KiCad's files: S-expressions with stable identifiers, so that the same input gives the same bytes."""

import uuid

NAMESPACE = uuid.UUID("6f1c8f0e-6d5f-4c0b-9a5f-3f6f3a1c2b10")


def identifier(*names):
    """An identifier that depends on nothing but the names."""
    return str(uuid.uuid5(NAMESPACE, "/".join(str(name) for name in names)))


def number(value):
    """A length in millimetres without rounding dust."""
    return f"{round(value, 4):g}"


class Word(str):
    """A word that is written without quotes."""


def text(node, depth=0):
    """A nested list as an S-expression: short ones on one line, others indented by tabs."""
    if isinstance(node, Word):
        return node
    if isinstance(node, str):
        escaped = node.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
        return f'"{escaped}"'
    if isinstance(node, (int, float)):
        return number(node)
    head, *rest = node
    flat = "(" + " ".join([head] + [text(part) for part in rest]) + ")"
    if len(flat) <= 100:
        return flat
    inner = "\t" * (depth + 1)
    lines = [f"({head}"]
    for part in rest:
        if isinstance(part, list):
            lines.append(inner + text(part, depth + 1))
        else:
            lines[-1] += " " + text(part)
    return "\n".join(lines) + "\n" + "\t" * depth + ")"


def effects(size=1.27, justify=None, hide=False):
    """How a text is set."""
    node = ["effects", ["font", ["size", size, size]]]
    if justify:
        node.append(["justify"] + [Word(word) for word in justify.split()])
    if hide:
        node.append(["hide", Word("yes")])
    return node
