#!/usr/bin/env python3
"""A clock that speaks the line protocol, written from hardware/clock-protocol.md alone, with nothing but the standard
library. It opens a pseudo-terminal, prints the name of the daemon's end, and then obeys lines on its standard input:

    press left | press right    somebody presses that lever
    hand LEFT_MS RIGHT_MS       somebody sets the times by hand
    low                         the battery runs low
    cycle                       power is lost and comes back
    show                        prints "shows LEFT_MS RIGHT_MS running presses_left presses_right text"
    quit
"""

import os
import pty
import select
import sys
import time
import tty

VERSION = 1
LONGEST_LINE = 120


def crc16(data):
    crc = 0xFFFF
    for byte in data:
        crc ^= byte << 8
        for _ in range(8):
            crc = ((crc << 1) ^ 0x1021 if crc & 0x8000 else crc << 1) & 0xFFFF
    return crc


def now_ms():
    return time.monotonic_ns() // 1_000_000


class Clock:
    ENDS = ("left", "right")

    def __init__(self, session=1):
        self.session = session
        self.left = {"left": 0, "right": 0}
        self.bonus = {"left": "0", "right": "0"}
        self.up = {"left": False, "right": False}
        self.used = {"left": 0, "right": 0}
        self.presses = {"left": 0, "right": 0}
        self.running = None
        self.flag = None
        self.since = now_ms()
        self.is_set = False
        self.answered = None
        self.number = 0
        self.text = ""
        self.sent_status = now_ms()
        self.out = b""
        self.say("BOOT")

    def say(self, payload):
        data = payload.encode("ascii")
        self.out += b"%s*%04X\n" % (data, crc16(data))

    def pass_time(self):
        now = now_ms()
        elapsed, self.since = now - self.since, now
        if self.running is None:
            return
        end = self.running
        self.used[end] += elapsed
        if self.up[end]:
            self.left[end] += elapsed
            return
        self.left[end] = max(0, self.left[end] - elapsed)
        if self.left[end] == 0 and self.flag is None:
            self.flag = end
            self.status()

    def status(self):
        self.number = (self.number + 1) % 65536
        self.sent_status = now_ms()
        self.say(
            "TIME %d %d %d %s %s %d %d"
            % (
                self.number,
                self.left["left"],
                self.left["right"],
                self.running or "none",
                self.flag or "none",
                self.presses["left"],
                self.presses["right"],
            )
        )

    def press(self, end):
        self.pass_time()
        if self.running != end:
            return
        used, self.used[end] = self.used[end], 0
        if self.flag != end:
            kind, amount = self.bonus[end][0], int(self.bonus[end].lstrip("fb"))
            self.left[end] += amount if kind == "f" else min(amount, used) if kind == "b" else 0
        self.presses[end] += 1
        self.running = "right" if end == "left" else "left"
        self.status()

    def receive(self, line):
        data = line.rstrip(b"\r\n")
        if not data or len(line) > LONGEST_LINE:
            return
        payload, star, crc = data.rpartition(b"*")
        try:
            if not star or len(crc) != 4 or int(crc, 16) != crc16(payload):
                return
            words = payload.decode("ascii").split(" ")
        except ValueError:
            return
        if len(words) < 2 or not words[1].isdigit():
            return
        identity = int(words[1])
        if words[0] != "HELLO" and self.answered and self.answered[0] == identity:
            self.say(self.answered[1])
            return
        answer, act = self.carry_out(words[0], words[2:], payload)
        answer = answer % identity
        self.say(answer)
        self.answered = (identity, answer)
        act()

    def carry_out(self, word, fields, payload):
        nothing = lambda: None
        if word == "HELLO":
            if int(fields[0]) < VERSION:
                return "NO %d version", nothing
            known = "set" if self.is_set else "unset"
            return "OK %%d %d %d %s python" % (VERSION, self.session, known), self.status
        if word == "SET":
            try:
                values = [int(fields[0]), fields[1], fields[2], int(fields[3]), fields[4], fields[5]]
            except (IndexError, ValueError):
                return "NO %d syntax", nothing
            return "OK %d", lambda: self.set(values)
        if word == "TEXT":
            text = payload.decode("ascii").split(" ", 2)[2]
            return "OK %d", lambda: setattr(self, "text", text)
        if word == "END":
            return "OK %d", lambda: setattr(self, "text", "")
        if word == "BEEP":
            return "OK %d", nothing
        if word == "ASK":
            return "OK %d", self.status
        return "NO %d unknown", nothing

    def set(self, values):
        self.pass_time()
        left_ms, left_mode, left_bonus, right_ms, right_mode, right_bonus = values
        self.left = {"left": left_ms, "right": right_ms}
        self.bonus = {"left": left_bonus, "right": right_bonus}
        self.up = {"left": left_mode == "up", "right": right_mode == "up"}
        runs = [end for end, mode in zip(self.ENDS, (left_mode, right_mode)) if mode != "stop"]
        self.running = runs[0] if runs else None
        self.flag = None
        self.text = ""
        self.is_set = True
        self.status()

    def tick(self):
        self.pass_time()
        every = 1000 if self.running else 5000
        if now_ms() - self.sent_status >= every:
            self.status()


def obey(clock, words):
    if words[0] == "press":
        clock.press(words[1])
    elif words[0] == "hand":
        clock.pass_time()
        clock.left = {"left": int(words[1]), "right": int(words[2])}
        clock.status()
    elif words[0] == "low":
        clock.say("LOW")
    elif words[0] == "show":
        clock.pass_time()
        print(
            "shows",
            clock.left["left"],
            clock.left["right"],
            clock.running or "none",
            clock.presses["left"],
            clock.presses["right"],
            clock.text or "-",
            flush=True,
        )


def main():
    master, slave = pty.openpty()
    tty.setraw(slave)
    os.set_blocking(master, False)
    print(os.ttyname(slave), flush=True)
    clock, heard, commands = Clock(), b"", b""
    while True:
        ready, _, _ = select.select([master, sys.stdin], [], [], 0.01)
        if master in ready:
            try:
                heard += os.read(master, 4096)
            except OSError:
                pass
            while b"\n" in heard:
                line, _, heard = heard.partition(b"\n")
                clock.receive(line + b"\n")
            heard = heard[-LONGEST_LINE:]
        if sys.stdin in ready:
            read = os.read(sys.stdin.fileno(), 4096)
            if not read:
                return
            commands += read
            while b"\n" in commands:
                line, _, commands = commands.partition(b"\n")
                words = line.decode("ascii").split()
                if words == ["quit"]:
                    return
                if words == ["cycle"]:
                    clock = Clock(clock.session + 1)
                elif words:
                    obey(clock, words)
        clock.tick()
        if clock.out:
            try:
                written = os.write(master, clock.out)
                clock.out = clock.out[written:]
            except BlockingIOError:
                clock.out = b""


if __name__ == "__main__":
    main()
