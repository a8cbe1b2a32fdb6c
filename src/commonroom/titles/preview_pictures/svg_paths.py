"""SVG paths as polygons: as much of the notation as our drawings use."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator
from typing import TypeAlias

Point: TypeAlias = tuple[float, float]

CURVE_STEPS = 12
"""Into how many lines a curve is broken."""
_TOKEN = re.compile(r"[A-Za-z]|-?(?:\d+\.\d+|\.\d+|\d+)")
_ARGUMENTS = {"m": 2, "l": 2, "h": 1, "v": 1, "q": 4, "t": 2, "c": 6, "s": 4, "a": 7, "z": 0}


class Outline:
    """A path that is being drawn: where the pen is, and what it has left behind."""

    def __init__(self) -> None:
        self.lines: list[list[Point]] = []
        self.pen: Point = (0.0, 0.0)
        self._handle: Point | None = None
        """The last control point, for curves that go on smoothly."""

    def draw(self, command: str, arguments: list[float]) -> None:
        """One command with its arguments."""
        kind, (x, y) = command.lower(), self.pen
        from_here = (x, y) if command.islower() else (0.0, 0.0)
        if kind == "z":
            self._go(self.lines[-1][0] if self.lines else self.pen)
        elif kind == "h":
            self._go((arguments[0] + from_here[0], y))
        elif kind == "v":
            self._go((x, arguments[0] + from_here[1]))
        elif kind == "a":
            self._arc(arguments, _moved(arguments[5:], from_here))
        else:
            points = [_moved(arguments[i : i + 2], from_here) for i in range(0, len(arguments), 2)]
            self._points(kind, points)

    def _points(self, kind: str, points: list[Point]) -> None:
        match kind:
            case "m":
                self.lines.append([points[0]])
                self.pen, self._handle = points[0], None
            case "l":
                self._go(points[0])
            case "q":
                self._quadratic(points[0], points[1])
            case "t":
                self._quadratic(self._mirrored(), points[0])
            case "c":
                self._cubic(points[0], points[1], points[2])
            case "s":
                self._cubic(self._mirrored(), points[0], points[1])

    def _go(self, to: Point) -> None:
        if not self.lines:
            self.lines.append([self.pen])
        self.lines[-1].append(to)
        self.pen, self._handle = to, None

    def _curve(self, at: Callable[[float], Point], end: Point, handle: Point) -> None:
        for step in range(1, CURVE_STEPS):
            self._go(at(step / CURVE_STEPS))
        self._go(end)
        self._handle = handle

    def _quadratic(self, by: Point, to: Point) -> None:
        start = self.pen

        def at(t: float) -> Point:
            return _mix(_mix(start, by, t), _mix(by, to, t), t)

        self._curve(at, to, by)

    def _cubic(self, first: Point, second: Point, to: Point) -> None:
        start = self.pen

        def at(t: float) -> Point:
            a, b, c = _mix(start, first, t), _mix(first, second, t), _mix(second, to, t)
            return _mix(_mix(a, b, t), _mix(b, c, t), t)

        self._curve(at, to, second)

    def _mirrored(self) -> Point:
        x, y = self.pen
        hx, hy = self._handle or self.pen
        return 2 * x - hx, 2 * y - hy

    def _arc(self, arguments: list[float], to: Point) -> None:
        """An arc of an upright ellipse, by the formulas of SVG's appendix on arcs."""
        rx, ry = abs(arguments[0]), abs(arguments[1])
        large, sweep = bool(arguments[3]), bool(arguments[4])
        if not rx or not ry or self.pen == to:
            self._go(to)
            return
        (x1, y1), (x2, y2) = self.pen, to
        dx, dy = (x1 - x2) / 2, (y1 - y2) / 2
        grow = (dx / rx) ** 2 + (dy / ry) ** 2
        if grow > 1:
            rx, ry = rx * math.sqrt(grow), ry * math.sqrt(grow)
        under = (rx * ry) ** 2 - (rx * dy) ** 2 - (ry * dx) ** 2
        root = math.sqrt(max(0.0, under / ((rx * dy) ** 2 + (ry * dx) ** 2)))
        root = -root if large == sweep else root
        cx, cy = root * rx * dy / ry, -root * ry * dx / rx
        start = math.atan2((dy - cy) / ry, (dx - cx) / rx)
        end = math.atan2((-dy - cy) / ry, (-dx - cx) / rx)
        turn = (end - start) % (2 * math.pi) if sweep else -((start - end) % (2 * math.pi))
        middle = (cx + (x1 + x2) / 2, cy + (y1 + y2) / 2)

        def at(t: float) -> Point:
            angle = start + t * turn
            return middle[0] + rx * math.cos(angle), middle[1] + ry * math.sin(angle)

        self._curve(at, to, to)


def outlines(path: str) -> list[list[Point]]:
    """Returns the lines of a path, each from point to point."""
    drawn = Outline()
    for command, arguments in _commands(path):
        drawn.draw(command, arguments)
    return [line for line in drawn.lines if len(line) > 1]


def _commands(path: str) -> Iterator[tuple[str, list[float]]]:
    tokens = _TOKEN.findall(path)
    command, at = "", 0
    while at < len(tokens):
        if tokens[at].isalpha():
            command, at = tokens[at], at + 1
        size = _ARGUMENTS[command.lower()]
        yield command, [float(one) for one in tokens[at : at + size]]
        at += size
        # Further pairs after a move are lines.
        command = {"m": "l", "M": "L"}.get(command, command)


def _moved(pair: list[float], by: Point) -> Point:
    return pair[0] + by[0], pair[1] + by[1]


def _mix(a: Point, b: Point, t: float) -> Point:
    return a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t
