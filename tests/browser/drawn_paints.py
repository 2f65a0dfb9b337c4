"""Families of documents: gradients and patterns, clips and masks, filters, blending."""

from __future__ import annotations

from random import Random

from tests.browser.drawn_parts import hue, svg


def colours_of_the_current_one(random: Random) -> str:
    body = f"""<g color="{hue(random)}"><rect width="40" height="40" fill="currentColor"/><g
      style="color:{hue(random)}">
      <circle cx="70" cy="30" r="20" stroke="currentcolor" stroke-width="6" fill="none"/>
      <linearGradient id="g"><stop stop-color="currentColor"/><stop offset="1"
      stop-color="{hue(random)}"/></linearGradient></g>
      <rect y="60" width="100" height="30" fill="url(#g)"/></g>"""
    return svg(body, f'viewBox="0 0 100 100" color="{hue(random)}"')


def linear_gradients(random: Random) -> str:
    stops = "".join(
        f'<stop offset="{at * 25}%" style="stop-color:{hue(random)};stop-opacity:{random.choice(["1", ".5", "70%"])}"/>'
        for at in range(5)
    )
    body = f"""<defs><linearGradient id="a" x1="0%" y1="0%" x2="{random.randrange(50, 101)}%" y2="100%"
      spreadMethod="{random.choice(["pad", "reflect", "repeat"])}">{stops}</linearGradient>
      <linearGradient id="b" xlink:href="#a" gradientTransform="rotate({random.randrange(90)})"/></defs>
      <rect width="100" height="60" rx="8" fill="url(#a)"/><circle cx="50" cy="80" r="18" fill="url('#b')"/>
      <path d="M5 95h90" stroke="url(#missing) {hue(random)}" stroke-width="4"/>"""
    return svg(body)


def radial_gradients(random: Random) -> str:
    body = f"""<radialGradient id="g" cx=".5" cy="50%" r="{random.choice([".5", "40%", ".7"])}"
      fx="{random.choice([".3", ".6"])}">
      <stop stop-color="{hue(random)}"/><stop offset=".4" stop-color="{hue(random)}" stop-opacity=".6"/>
      <stop offset="1" stop-color="{hue(random)}"/></radialGradient><rect width="100" height="100"
      fill="url(#g)"/>
      <ellipse cx="50" cy="50" rx="40" ry="20" fill="url(#g)" opacity="{random.choice([".5", "60%"])}"/>"""
    return svg(body)


def patterns(random: Random) -> str:
    body = f"""<defs><pattern id="p" width="{random.choice([10, 20])}" height="10" patternUnits="userSpaceOnUse"
      patternTransform="rotate({random.choice([0, 45, 90])})"><rect width="5" height="5" fill="{hue(random)}"/>
      <circle cx="7" cy="7" r="2" fill="{hue(random)}"/></pattern>
      <pattern id="q" width=".25" height=".25" viewBox="0 0 4 4"><path d="M0 0h2v2h-2z"/></pattern></defs>
      <rect width="100" height="50" fill="url(#p)"/><circle cx="50" cy="75" r="24" fill="url(#q)"
      stroke="{hue(random)}"/>"""
    return svg(body)


def clips_and_masks(random: Random) -> str:
    body = f"""<defs><clipPath id="c"><circle cx="50" cy="50" r="{random.randrange(25, 45)}"/><rect width="20"
      height="20"/></clipPath>
      <mask id="m"><rect width="100" height="100" fill="white"/><text x="20" y="65" font-size="40"
      font-family="sans-serif">NO</text></mask><mask id="n" mask-type="alpha" style="mask-type:alpha"
      maskContentUnits="objectBoundingBox"><circle cx=".5" cy=".5" r=".5" fill-opacity=".6"/></mask></defs>
      <g clip-path="url(#c)"><rect width="100" height="100" fill="{hue(random)}" mask="url(#m)"/></g>
      <rect y="80" width="60" height="20" fill="{hue(random)}" style="mask:url(#n)"/>"""
    return svg(body)


def references(random: Random) -> str:
    body = f"""<defs><g id="s"><path d="M0 0h10l5 10h-20z"/><circle cy="15" r="5" fill="{hue(random)}"/></g>
      <symbol id="y" viewBox="0 0 20 10"><rect width="20" height="10" rx="3"/></symbol></defs>
      <use href="#s" x="20" y="10" fill="{hue(random)}"/><use xlink:href="#s" transform="translate(60 20)
      scale(2)"/>
      <use href="#y" x="5" y="60" width="{random.randrange(30, 60)}" height="30" fill="{hue(random)}"/>
      <svg x="60" y="60" width="35" height="35" viewBox="0 0 10 10" preserveAspectRatio="xMaxYMin slice"><rect
      width="9"
      height="4" fill="{hue(random)}"/></svg><use href="#nowhere"/>"""
    return svg(body)


def glow_and_blur(random: Random) -> str:
    body = f"""<filter id="g" x="-50%" y="-50%" width="200%" height="200%"><feGaussianBlur
      stdDeviation="{random.randrange(2, 7)}"
      result="b"/><feMerge><feMergeNode in="b"/><feMergeNode in="SourceGraphic"/></feMerge></filter>
      <circle cx="35" cy="35" r="18" fill="{hue(random)}" filter="url(#g)"/>
      <rect x="55" y="55" width="30" height="30" style="filter:drop-shadow(3px 3px {random.randrange(1, 4)}px
      black)" fill="gold"/>
      <rect x="10" y="70" width="30" height="20" style="filter: blur({random.randrange(1, 4)}px)"
      filter="none"/>"""
    return svg(body, 'viewBox="0 0 100 100" style="background:#223"')


def colours_by_filters(random: Random) -> str:
    name = random.choice(
        ["hue-rotate(90deg)", "grayscale(1)", "invert(1)", "saturate(3)", "sepia(.8)", "contrast(2)"]
    )
    body = f"""<filter id="m"><feColorMatrix type="{random.choice(["saturate", "hueRotate"])}"
      values=".3"/></filter>
      <filter id="n" color-interpolation-filters="sRGB"><feFlood flood-color="{hue(random)}"
      flood-opacity=".5"/>
      <feBlend mode="{random.choice(["multiply", "screen", "overlay"])}" in2="SourceGraphic"/></filter>
      <rect width="50" height="50" fill="{hue(random)}" style="filter: {name}"/>
      <rect x="50" width="50" height="50" fill="{hue(random)}" filter="url(#m)"/>
      <circle cx="50" cy="75" r="20" fill="{hue(random)}" filter="url(#n)"/>"""
    return svg(body)


def noise(random: Random) -> str:
    body = f"""<filter id="n"><feTurbulence type="{random.choice(["fractalNoise", "turbulence"])}"
      seed="{random.randrange(50)}"
      baseFrequency="{random.choice(["0.05", ".02 .1"])}" numOctaves="{random.randrange(1, 4)}"/></filter>
      <rect width="100" height="100" fill="white"/><rect width="100" height="100" filter="url(#n)"
      opacity=".7"/>"""
    return svg(body, 'width="256" height="256"')


def blending(random: Random) -> str:
    modes = random.sample(
        ["multiply", "screen", "difference", "overlay", "exclusion", "color-dodge", "darken"], 3
    )
    circles = "".join(
        f'<circle cx="{30 + 20 * at}" cy="50" r="28" fill="{hue(random)}" style="mix-blend-mode:{mode}"/>'
        for at, mode in enumerate(modes)
    )
    return svg(f'<rect width="100" height="100" fill="#ddd"/><g style="isolation:isolate">{circles}</g>')
