"""Drawings as SVG, 320 units a side: rings of the tide, packets of seeds, and a voucher that nobody asked for."""

from __future__ import annotations

import math
from random import Random
from typing import Any

SIDE = 320

_TIDES = {
    "Shore": ("#f3e3c3", ["#2f6f8f", "#74b3c4", "#e0a458", "#d9cdb0"]),
    "Kelp": ("#e7ecd8", ["#2f4f3a", "#6b8f5a", "#b7c38a", "#1d3326"]),
    "Coral": ("#fff0e6", ["#e8604c", "#f7a278", "#5a8f9c", "#fbd1b7"]),
    "Deep": ("#0a1a2f", ["#14507a", "#2f8fb3", "#7fd1d8", "#0f2f4f"]),
    "Foam": ("#eef6f7", ["#b9dbe0", "#7fb8c4", "#ffffff", "#4d8b99"]),
}


def tide(random: Random, traits: Any) -> bytes:
    """Return rings around a place, whole, narrowing or broken, and at times a moon."""
    ground, inks = _TIDES[traits["Palette"]]
    parts = [f"<rect width='{SIDE}' height='{SIDE}' fill='{ground}'/>"]
    x, y = (SIDE / 2 + random.randrange(-30, 30) for _ in range(2))
    rings = traits["Rings"]
    wide = 145 / rings
    for ring in range(rings, 0, -1):
        share = ring / rings
        radius = 145 * (share**1.6 if traits["Rhythm"] == "Ebbing" else share)
        stroke = min(wide * random.uniform(0.3, 0.6), radius)
        drawn = (
            f"<circle cx='{x:.0f}' cy='{y:.0f}' r='{radius - stroke / 2:.1f}' stroke='{random.choice(inks)}'"
        )
        drawn += f" stroke-width='{stroke:.1f}'"
        if traits["Rhythm"] == "Broken":
            drawn += _broken(random, radius - stroke / 2, x, y)
        parts.append(drawn + " fill='none'/>")
        x, y = x + random.randrange(-3, 4), y + random.randrange(-3, 4)
    if "Moon" in traits:
        parts.append(_moon(traits["Moon"], inks[0]))
    if traits["Spring Tide"]:
        frame = f"<rect x='10' y='10' width='{SIDE - 20}' height='{SIDE - 20}' rx='4' fill='none'"
        parts.append(f"{frame} stroke='{inks[0]}' stroke-width='6'/>")
    return _svg(parts)


def _broken(random: Random, radius: float, x: float, y: float) -> str:
    around = 2 * math.pi * radius
    gap = around * random.randrange(20, 70) / 360
    turn = f"rotate({random.randrange(360)} {x:.0f} {y:.0f})"
    return f" stroke-dasharray='{around - gap:.1f} {gap:.1f}' stroke-linecap='round' transform='{turn}'"


def _moon(phase: str, ink: str) -> str:
    dark = f"<circle cx='268' cy='52' r='27' fill='{ink}'/>"
    if phase == "New":
        return dark
    light = "<circle cx='268' cy='52' r='23' fill='#fffbe8'/>"
    return dark + light + (f"<path d='M268 29a23 23 0 0 0 0 46z' fill='{ink}'/>" if phase == "Half" else "")


_FLOWERS = {
    "Poppy": ("#d93a2b", "#2a1512", "#f58a6a"),
    "Aster": ("#8c6fd1", "#f2c84b", "#b9a3ec"),
    "Sunflower": ("#f5b921", "#5b3716", "#fbd968"),
    "Bluebell": ("#4d74d9", "#dbe6ff", "#8aa6f0"),
    "Night Orchid": ("#2b1b4d", "#e86fb0", "#6a4a9c"),
}
_PACKETS = {"Cream": "#f7efda", "Mint": "#d5eadb", "Sky": "#d6e6f5", "Charcoal": "#3a3d42"}


def packet(random: Random, traits: Any) -> bytes:
    """Return a packet with its flower in bloom, on a table."""
    petal, heart, tip = _FLOWERS[traits["Flower"]]
    petals, turn = traits["Petals"], random.randrange(90)
    wide = 120 / petals + 7
    parts = [
        "<defs><linearGradient id='t' x2='0' y2='1'><stop stop-color='#c7a679'/>"
        "<stop offset='1' stop-color='#a98457'/></linearGradient>"
        f"<radialGradient id='g'><stop stop-color='{tip}' stop-opacity='.7'/>"
        f"<stop offset='1' stop-color='{tip}' stop-opacity='0'/></radialGradient>"
        f"<radialGradient id='p' cx='.5' cy='.2'><stop stop-color='{tip}'/><stop offset='1' stop-color='{petal}'/>"
        f"</radialGradient><ellipse id='b' rx='{wide:.0f}' ry='31' cy='-46' fill='url(#p)'/></defs>"
        f"<rect width='{SIDE}' height='{SIDE}' fill='url(#t)'/>"
        "<rect x='49' y='24' width='230' height='284' rx='9' fill='#5b4024' fill-opacity='.4'/>"
        f"<rect x='45' y='18' width='230' height='284' rx='9' fill='{_PACKETS[traits['Paper']]}'/>"
        f"<rect x='45' y='46' width='230' height='6' fill='{petal}'/>"
        f"<path d='M160 165q{random.randrange(-20, 20)} 60 {random.randrange(-12, 12)} 120' fill='none'"
        " stroke='#4c7a3d' stroke-width='7' stroke-linecap='round'/>"
    ]
    for side in (-1, 1):
        y = random.randrange(228, 262)
        parts.append(
            f"<path d='M160 {y}q{side * 30} -32 {side * 62} -8q{side * -28} 26 {side * -62} 8' fill='#5e9149'/>"
        )
    parts.append("<circle cx='160' cy='145' r='115' fill='url(#g)'/><g transform='translate(160 145)'>")
    parts += [
        f"<use href='#b' transform='rotate({turn + number * 360 / petals:.0f})'/>" for number in range(petals)
    ]
    parts.append(f"<circle r='27' fill='{heart}'/></g>")
    for _ in range(14):
        across, down = random.gauss(160, 9), random.gauss(145, 9)
        parts.append(f"<circle cx='{across:.0f}' cy='{down:.0f}' r='2.4' fill='{tip}'/>")
    if traits["Organic"]:
        parts.append(
            "<circle cx='238' cy='266' r='20' fill='#5e9149'/>"
            "<path d='M229 266l7 8 13-16' fill='none' stroke='#fff' stroke-width='5'/>"
        )
    return _svg(parts)


_VOUCHERS = {"Pink": ("#ff5fa2", "#ffd1e4"), "Yellow": ("#f2b705", "#fff0b3"), "Lime": ("#7ac70c", "#e2f7b8")}


def voucher(random: Random, traits: Any) -> bytes:
    """Return a loud ticket: the larger the prize, the more stars."""
    loud, pale = _VOUCHERS[traits["Colour"]]
    parts = [f"<rect width='{SIDE}' height='{SIDE}' fill='{loud}'/><g fill='{pale}' fill-opacity='.45'>"]
    parts += [f"<path d='M160 160{_ray(angle)}{_ray(angle + 12)}z'/>" for angle in range(0, 360, 24)]
    parts.append(
        "</g><rect x='35' y='95' width='250' height='130' rx='12' fill='#fffdf5' stroke='#3a2a2a' stroke-width='4'/>"
        f"<g stroke='{loud}' stroke-width='9' stroke-dasharray='.1 13' stroke-linecap='round'>"
        "<path d='M35 106V220M285 106V220'/></g>"
        "<g font-family='sans-serif' font-weight='bold' text-anchor='middle' fill='#3a2a2a'>"
        f"<text x='160' y='165' font-size='46' fill='{loud}' stroke='#3a2a2a'>WIN {traits['Prize']}!</text>"
        f"<text x='160' y='203' font-size='20'>No. {random.randrange(10**6):06}</text></g><g fill='#fffdf5'>"
    )
    stars = len(str(traits["Prize"])) + (traits["Prize"] == 5000)
    parts += [f"<path d='{_star(160 + (star - (stars - 1) / 2) * 42, 262)}'/>" for star in range(stars)]
    return _svg([*parts, "</g>"])


def _ray(angle: float) -> str:
    turn = math.radians(angle)
    return f"L{160 + 240 * math.cos(turn):.0f} {160 + 240 * math.sin(turn):.0f}"


def _star(x: float, y: float) -> str:
    corners = []
    for corner in range(10):
        turn, radius = math.radians(corner * 36 - 90), (17, 7.5)[corner % 2]
        corners.append(f"{x + radius * math.cos(turn):.0f} {y + radius * math.sin(turn):.0f}")
    return f"M{'L'.join(corners)}z"


def _svg(parts: list[str]) -> bytes:
    return (
        f"<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {SIDE} {SIDE}'>{''.join(parts)}</svg>".encode()
    )
