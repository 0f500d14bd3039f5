#!/usr/bin/env python3
"""Takes out of KiCad's exports what differs from run to run and from place to place, and packs what is drawn.

    tidy.py netlist IN OUT   no dates, no folders, no version of KiCad
    tidy.py svg IN OUT       no dates; strokes that follow one another become one path, to a hundredth of a millimetre
"""

import re
import sys
from pathlib import Path


def netlist(content):
    content = re.sub(r"<source>[^<]*/", "<source>", content)
    content = re.sub(r"<date>[^<]*</date>", "<date/>", content)
    content = re.sub(r"<uri>[^<]*/", "<uri>", content)
    return re.sub(r"<tool>Eeschema ([0-9]+)[^<]*</tool>", r"<tool>Eeschema \1</tool>", content)


def svg(content):
    content = re.sub(r" date [0-9/]+ [0-9:]+ ", "", content)
    content = re.sub(r"-?\d+\.\d{3,}", lambda found: f"{float(found.group()):.2f}".rstrip("0").rstrip("."), content)
    # Text that is drawn as strokes is there a second time, unseen.
    content = re.sub(r"<text [^>]*opacity=\"0\"[^>]*>[^<]*</text>\n?", "", content)
    packed, run = [], []
    stroke = re.compile(r'<path d="M(\S+ \S+)\s+L(\S+ \S+)\s*" />\s*')
    place = 0

    def flush():
        if not run:
            return
        path = f"M{run[0][0]}"
        for index, (start, end) in enumerate(run):
            if index and start != run[index - 1][1]:
                path += f"M{start}"
            path += f"L{end}"
        packed.append(f'<path d="{path}"/>\n')
        run.clear()

    while place < len(content):
        found = stroke.match(content, place)
        if found:
            run.append(found.groups())
            place = found.end()
            continue
        flush()
        following = stroke.search(content, place)
        end = following.start() if following else len(content)
        packed.append(content[place:end])
        place = end
    flush()
    return re.sub(r"[ \t]+\n", "\n", "".join(packed))


def main():
    kind, source, target = sys.argv[1:]
    content = Path(source).read_text(encoding="utf-8")
    Path(target).write_text({"netlist": netlist, "svg": svg}[kind](content), encoding="utf-8")


if __name__ == "__main__":
    main()
