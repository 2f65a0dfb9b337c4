"""Documents as collections that live in contracts write them, made up by families: each with a seed of its
own."""

from __future__ import annotations

import base64
import io
from collections.abc import Callable, Iterator
from random import Random

from PIL import Image, ImageDraw

NS = 'xmlns="http://www.w3.org/2000/svg"'
XLINK = 'xmlns:xlink="http://www.w3.org/1999/xlink"'
HTML = 'xmlns="http://www.w3.org/1999/xhtml"'
EACH = 5
"""Documents of each family."""

Family = Callable[[Random], str]
FAMILIES: dict[str, Family] = {}


def family(make: Family) -> Family:
    """Count a function among the families."""
    FAMILIES[make.__name__] = make
    return make


def documents() -> Iterator[tuple[str, bytes]]:
    """Yield each document with its name."""
    for name, make in FAMILIES.items():
        for seed in range(EACH):
            yield f"{name} {seed}", make(Random(f"{name} {seed}")).encode()  # no secret


def hue(random: Random) -> str:
    """A colour in one of the ways to write it."""
    red, green, blue = (random.randrange(256) for _ in range(3))
    angle, full, light = random.randrange(360), random.randrange(40, 101), random.randrange(25, 75)
    return random.choice(
        [
            f"#{red:02x}{green:02x}{blue:02X}",
            f"#{red // 16:x}{green // 16:x}{blue // 16:x}",
            f"rgb({red}, {green}, {blue})",
            f"rgb({red} {green} {blue} / {random.randrange(40, 100)}%)",
            f"rgba({red * 100 // 255}%,{green * 100 // 255}%,{blue * 100 // 255}%,0.8)",
            f"hsl({angle}, {full}%, {light}%)",
            f"hsl({angle}deg {full}% {light}% / .9)",
            f"hsla({angle},{full}%,{light}%,.7)",
            random.choice(["rebeccapurple", "Tomato", "gold", "teal", "MIDNIGHTBLUE", "olive"]),
        ]
    )


def svg(body: str, attributes: str = 'viewBox="0 0 100 100"') -> str:
    """A document."""
    return f"<svg {NS} {XLINK} {attributes}>{body}</svg>"


def uri(media_type: str, data: bytes) -> str:
    """A `data:` URI in base64."""
    return f"data:{media_type};base64,{base64.b64encode(data).decode()}"


def pixels(random: Random, kind: str, size: tuple[int, int] = (24, 24), **options: object) -> bytes:
    """A picture of some coloured boxes."""
    image = Image.new("RGB", size, random.choice(["navy", "ivory", "pink"]))
    draw = ImageDraw.Draw(image)
    for _ in range(8):
        left, top = random.randrange(size[0] - 6), random.randrange(size[1] - 6)
        draw.rectangle(
            (left, top, left + 5, top + 5), random.choice(["red", "lime", "blue", "black", "orange"])
        )
    file = io.BytesIO()
    image.save(file, kind, **options)
    return file.getvalue()


@family
def lines_of_text_on_black(random: Random) -> str:
    lines = "".join(
        f'<text x="10" y="{20 * row + 20}" class="base">{random.choice(["Grim", "Ring of", "Silk"])} {row}</text>'
        for row in range(1, random.randrange(4, 9))
    )
    style = (
        f".base {{ fill: {hue(random)}; font-family: serif; font-size: {random.choice([14, 16, 18])}px; }}"
    )
    ground = '<rect width="100%" height="100%" fill="black"/>'
    return svg(
        f"<style>{style}</style>{ground}{lines}", 'preserveAspectRatio="xMinYMin meet" viewBox="0 0 350 350"'
    )


@family
def pixel_art_by_rectangles(random: Random) -> str:
    palette = [hue(random) for _ in range(5)]
    cells = "".join(
        f'<rect x="{x * 10}" y="{y * 10}" width="{random.choice([10, 20])}" height="10" '
        f'fill="{random.choice(palette)}"/>'
        for x in range(24)
        for y in range(24)
        if random.random() < 0.4
    )
    return svg(cells, 'width="320" height="320" viewBox="0 0 240 240" shape-rendering="crispEdges"')


@family
def pixel_art_by_one_path_a_colour(random: Random) -> str:
    paths = ""
    for _ in range(4):
        strokes = "".join(
            f"M{random.randrange(30)} {random.randrange(32)}.5h{random.randrange(1, 8)}" for _ in range(60)
        )
        paths += f'<path stroke="{hue(random)}" d="{strokes}"/>'
    return svg(paths, 'viewBox="0 0 32 32" shape-rendering="crispEdges" style="background:#eee"')


@family
def grid_of_letters(random: Random) -> str:
    rows = "".join(
        f'<text x="{random.choice(["5", "5%"])}" y="{row * 12 + 14}">{"".join(random.choices("/|+-xO.#", k=24))}</text>'
        for row in range(15)
    )
    style = (
        f"text{{font:{random.choice(['bold ', ''])}10px/1.2 monospace;fill:{hue(random)};white-space:pre}}"
    )
    return svg(f"<style>{style}</style>{rows}", 'width="200" height="200" style="background-color:#111"')


@family
def ground_of_the_root(random: Random) -> str:
    colour = hue(random)
    ground = random.choice(
        [f"background:{colour}", f"background-color:{colour};display:block", f"background: {colour} none"]
    )
    size = random.choice(
        ['viewBox="0 0 60 40"', 'viewBox="0 0 60 40" width="300" height="300"', 'width="60" height="40"']
    )
    return svg(f'<circle cx="30" cy="20" r="15" fill="{hue(random)}"/>', f'{size} style="{ground}"')


@family
def variables_of_style(random: Random) -> str:
    scope = random.choice([":root", "svg", "*:root"])
    body = f"""<style>{scope} {{ --ink: {hue(random)}; --edge: var(--ink); --w: {random.randrange(2, 8)}px }}
      .n {{ --ink: {hue(random)} }} rect {{ stroke: var(--edge); stroke-width: var(--w) }}</style>
      <rect x="5" y="5" width="40" height="40" fill="var(--ink)"/>
      <g class="n"><rect x="55" y="5" width="40" height="40" style="fill:var(--ink)"/></g>
      <circle cx="25" cy="75" r="20" fill="var(--missing, var(--none, {hue(random)}))"/>
      <circle cx="75" cy="75" r="20" style="--ink:{hue(random)};fill:var( --ink )"/>"""
    return svg(body)


@family
def variables_in_values(random: Random) -> str:
    body = f"""<style>.a {{ --h: {random.randrange(360)}; --s: 70%; fill: hsl(var(--h), var(--s), 50%);
      --move: translate({random.randrange(20)}px, 10px) }} #b {{ transform: var(--move) scale(var(--k, .5)) }}
      #c {{ width: calc(var(--n, 3) * 10px); height: 20px; fill: var(--bad }}</style>
      <g class="a"><rect id="b" width="80" height="60"/><rect id="c" y="70"/></g>
      <circle r="10" cx="80" cy="80" fill="red" style="fill:var(--nothing)"/>"""
    return svg(body)


@family
def transforms_of_style(random: Random) -> str:
    moves = [
        f"translateX({random.randrange(5, 40)}px)",
        f"translateY({random.randrange(5, 40)}%)",
        f"translate({random.randrange(40)}%, {random.randrange(20)}px)",
        f"rotate({random.choice(['.1turn', '0.4rad', '30grad', '25deg', '-15deg'])})",
        f"scale({random.choice(['.5', '1.4, .6', '120%'])})",
        f"scaleX({random.choice(['.4', '1.6'])})",
        f"scaleY({random.choice(['.4', '1.6'])})",
        f"skew({random.randrange(20)}deg, 5deg)",
        f"skewX({random.randrange(30)}deg)",
        "matrix(1, .1, -.1, 1, 5, 2)",
        f"translateX(calc({random.randrange(30)}px + 10%))",
        "translate3d(10px, 5px, 0)",
    ]
    shapes = "".join(
        f'<rect x="20" y="{20 * row}" width="30" height="15" fill="{hue(random)}" '
        f'style="transform:{" ".join(random.sample(moves, random.randrange(1, 3)))}"/>'
        for row in range(5)
    )
    return svg(shapes)


@family
def origins_of_transforms(random: Random) -> str:
    origins = ["center", "left bottom", "50% 50%", "30px 40px", "top", "25% bottom", "0 0", "right"]
    boxes = ["view-box", "fill-box"]
    shapes = "".join(
        f"<{shape} fill='{hue(random)}' style='transform: rotate({random.randrange(5, 60)}deg); "
        f"transform-origin: {random.choice(origins)}; transform-box: {random.choice(boxes)}'/>"
        for shape in (
            'rect x="10" y="10" width="30" height="20"',
            'ellipse cx="70" cy="30" rx="20" ry="10"',
            'path d="M10 60q20 -20 40 10t10 20z"',
            'polygon points="60,60 90,60 80,90"',
        )
    )
    return svg(
        shapes, random.choice(['viewBox="0 0 100 100"', 'viewBox="0 0 100 100" width="400" height="400"'])
    )


@family
def properties_that_transform(random: Random) -> str:
    scale = random.choice([".7", "1.2 .8"])
    style = f"translate: {random.randrange(5, 30)}px; rotate: {random.randrange(5, 50)}deg; scale: {scale}"
    body = f"""<style>.m {{ {style}; transform-origin: {random.choice(["40px 40px", "center"])} }}</style>
      <rect class="m" x="30" y="30" width="30" height="20" fill="{hue(random)}"/>
      <g transform="rotate(20)" transform-origin="{random.randrange(20, 60)} 50"><path d="M60
      10h30v5h-30z"/></g>"""
    return svg(body)


_NAMES = ("class='a'", "class='b a'", "", "id='one'")


@family
def selectors(random: Random) -> str:
    rules = [
        "rect:nth-child(2n+1)",
        "rect:not(.a)",
        "g > rect",
        ".a + rect",
        ".a ~ rect",
        "rect[x='30']",
        "rect[class^=b]",
        ":is(.a, .b)",
        "#one",
        "rect:first-of-type",
        "*",
    ]
    style = "".join(
        f"{rule} {{ {random.choice(['fill', 'stroke'])}: {hue(random)}{random.choice(['', ' !important'])} }}"
        for rule in random.sample(rules, 5)
    )
    cells = "".join(
        f"<rect {random.choice(_NAMES)} x='{at % 3 * 30}' y='{at // 3 * 30}' width='25' height='25' stroke-width='4'/>"
        for at in range(9)
    )
    return svg(f"<style>/* {rules[0]} */ {style}</style><g transform='translate(5 5)'>{cells}</g>")


@family
def media_and_imports(random: Random) -> str:
    body = f"""<style>@import url('https://fonts.googleapis.com/css2?family=Some');
      @font-face {{ font-family: Away; src: url(https://a.example/a.woff2) }} rect {{ fill: {hue(random)} }}
      @media (prefers-color-scheme: dark) {{ rect {{ fill: black }} }}
      @media screen {{ circle {{ fill: {hue(random)} }} }} @media print {{ circle {{ fill: red }} }}
      @media not all and (prefers-color-scheme: light) {{ circle {{ r: 5px }} }}
      @supports (fill: red) {{ circle {{ stroke: {hue(random)}; stroke-width: 5 }} }}</style>
      <rect width="50" height="50"/><circle cx="60" cy="60" r="{random.randrange(15, 35)}"/>"""
    return svg(body)


@family
def geometry_of_style(random: Random) -> str:
    body = f"""<style>rect
      {{ x: {random.randrange(5, 20)}px; y: 10%; width: calc(50% - 1em); height: 2rem; rx: 5px }}
      circle {{ cx: 70%; cy: 60px; r: {random.randrange(10, 25)}px }} ellipse {{ rx: 10px; ry: max(5px, 8%) }}
      path {{ d: path("M10 70 L{random.randrange(30, 60)} 70 L20 95Z") }}</style>
      <rect fill="{hue(random)}"/><circle fill="{hue(random)}"/><ellipse cx="80" cy="20"/><path/>
      <line x1="1rem" y1="0" x2="calc(20% + 5px)" y2="60" stroke="red" style="stroke-width:.2em"/>"""
    return svg(body)


@family
def colours_of_the_current_one(random: Random) -> str:
    body = f"""<g color="{hue(random)}"><rect width="40" height="40" fill="currentColor"/><g
      style="color:{hue(random)}">
      <circle cx="70" cy="30" r="20" stroke="currentcolor" stroke-width="6" fill="none"/>
      <linearGradient id="g"><stop stop-color="currentColor"/><stop offset="1"
      stop-color="{hue(random)}"/></linearGradient></g>
      <rect y="60" width="100" height="30" fill="url(#g)"/></g>"""
    return svg(body, f'viewBox="0 0 100 100" color="{hue(random)}"')


@family
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


@family
def radial_gradients(random: Random) -> str:
    body = f"""<radialGradient id="g" cx=".5" cy="50%" r="{random.choice([".5", "40%", ".7"])}"
      fx="{random.choice([".3", ".6"])}">
      <stop stop-color="{hue(random)}"/><stop offset=".4" stop-color="{hue(random)}" stop-opacity=".6"/>
      <stop offset="1" stop-color="{hue(random)}"/></radialGradient><rect width="100" height="100"
      fill="url(#g)"/>
      <ellipse cx="50" cy="50" rx="40" ry="20" fill="url(#g)" opacity="{random.choice([".5", "60%"])}"/>"""
    return svg(body)


@family
def patterns(random: Random) -> str:
    body = f"""<defs><pattern id="p" width="{random.choice([10, 20])}" height="10" patternUnits="userSpaceOnUse"
      patternTransform="rotate({random.choice([0, 45, 90])})"><rect width="5" height="5" fill="{hue(random)}"/>
      <circle cx="7" cy="7" r="2" fill="{hue(random)}"/></pattern>
      <pattern id="q" width=".25" height=".25" viewBox="0 0 4 4"><path d="M0 0h2v2h-2z"/></pattern></defs>
      <rect width="100" height="50" fill="url(#p)"/><circle cx="50" cy="75" r="24" fill="url(#q)"
      stroke="{hue(random)}"/>"""
    return svg(body)


@family
def clips_and_masks(random: Random) -> str:
    body = f"""<defs><clipPath id="c"><circle cx="50" cy="50" r="{random.randrange(25, 45)}"/><rect width="20"
      height="20"/></clipPath>
      <mask id="m"><rect width="100" height="100" fill="white"/><text x="20" y="65" font-size="40"
      font-family="sans-serif">NO</text></mask><mask id="n" mask-type="alpha" style="mask-type:alpha"
      maskContentUnits="objectBoundingBox"><circle cx=".5" cy=".5" r=".5" fill-opacity=".6"/></mask></defs>
      <g clip-path="url(#c)"><rect width="100" height="100" fill="{hue(random)}" mask="url(#m)"/></g>
      <rect y="80" width="60" height="20" fill="{hue(random)}" style="mask:url(#n)"/>"""
    return svg(body)


@family
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


@family
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


@family
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


@family
def noise(random: Random) -> str:
    body = f"""<filter id="n"><feTurbulence type="{random.choice(["fractalNoise", "turbulence"])}"
      seed="{random.randrange(50)}"
      baseFrequency="{random.choice(["0.05", ".02 .1"])}" numOctaves="{random.randrange(1, 4)}"/></filter>
      <rect width="100" height="100" fill="white"/><rect width="100" height="100" filter="url(#n)"
      opacity=".7"/>"""
    return svg(body, 'width="256" height="256"')


@family
def blending(random: Random) -> str:
    modes = random.sample(
        ["multiply", "screen", "difference", "overlay", "exclusion", "color-dodge", "darken"], 3
    )
    circles = "".join(
        f'<circle cx="{30 + 20 * at}" cy="50" r="28" fill="{hue(random)}" style="mix-blend-mode:{mode}"/>'
        for at, mode in enumerate(modes)
    )
    return svg(f'<rect width="100" height="100" fill="#ddd"/><g style="isolation:isolate">{circles}</g>')


@family
def pictures_within(random: Random) -> str:
    kind, names = random.choice(
        [
            ("PNG", ["image/png", "image/jpeg", "image/*", "application/octet-stream", ""]),
            ("JPEG", ["image/jpg", "image/png"]),
            ("BMP", ["image/bmp", "image/x-ms-bmp", "image/png"]),
            ("WEBP", ["image/webp", "image/png"]),
            ("AVIF", ["image/avif", "image/png"]),
            ("GIF", ["image/gif", "image/png"]),
            ("ICO", ["image/x-icon", "image/png"]),
        ]
    )
    rendering = random.choice(['image-rendering="pixelated"', 'style="image-rendering:pixelated"', ""])
    target = uri(random.choice(names), pixels(random, kind))
    return svg(f'<image {rendering} x="10" y="10" width="80" height="80" xlink:href="{target}"/>')


@family
def pictures_in_places(random: Random) -> str:
    target = uri("image/png", pixels(random, "PNG", (32, 16)))
    ratio = random.choice(["none", "xMidYMid slice", "xMinYMax meet", "xMaxYMid"])
    body = f"""<image width="60" height="50" preserveAspectRatio="{ratio}" href="{target}"/><g opacity=".5">
      <image x="50" y="50" width="50" height="50" transform="rotate(5)" href="{target}"/></g>"""
    return svg(body, 'viewBox="-5 -5 110 110" style="background:silver"')


@family
def pictures_turned_or_in_other_colours(random: Random) -> str:
    exif = Image.Exif()
    exif[0x0112] = random.choice([1, 3, 6, 8])
    target = uri("image/jpeg", pixels(random, "JPEG", (48, 32), exif=exif, quality=95))
    return svg(f'<image width="100" height="100" href="{target}"/>')


@family
def documents_within(random: Random) -> str:
    inner = svg(
        f'<style>rect{{fill:{hue(random)};transform:translateX(3px)}}</style><rect width="6" height="8"/>',
        'viewBox="0 0 10 10"',
    )
    target = uri(random.choice(["image/svg+xml", "image/SVG+XML"]), inner.encode())
    return svg(f'<image x="5" y="10" width="{random.randrange(50, 90)}" height="70" href="{target}"/>')


@family
def pictures_of_filters(random: Random) -> str:
    inner = [
        svg(
            f"<rect width='290px' height='500px' fill='{hue(random)}'/>",
            "width='290' height='500' viewBox='0 0 290 500'",
        ),
        svg(
            f"<circle cx='{random.randrange(50, 240)}' cy='150' r='120px' fill='{hue(random)}'/>",
            "width='290' height='500' viewBox='0 0 290 500'",
        ),
    ]
    first, second = (uri("image/svg+xml", one.encode()) for one in inner)
    body = f"""<defs><filter id="f"><feImage result="p0" xlink:href="{first}"/><feImage result="p1"
      xlink:href="{second}"/>
      <feBlend mode="overlay" in="p0" in2="p1" result="b"/><feGaussianBlur in="b" stdDeviation="20"/></filter>
      <clipPath id="c"><rect width="290" height="500" rx="42" ry="42"/></clipPath></defs><g clip-path="url(#c)">
      <rect fill="{hue(random)}" width="290" height="500"/><rect style="filter: url(#f)" width="290"
      height="500"/></g>"""
    return svg(body, 'width="290" height="500" viewBox="0 0 290 500"')


@family
def html_with_a_picture(random: Random) -> str:
    target = uri("image/png", pixels(random, "PNG", (30, 30)))
    fit = random.choice(["", "object-fit:cover", "object-fit:contain", "image-rendering:pixelated"])
    size = random.choice(['width="80" height="60"', 'style="width:100%;height:100%;display:block;{}"'])
    image = f'<img {HTML} {size.format(fit)} src="{target}"/>'
    wrapped = random.choice([image, f"<div {HTML} style='height:100%'>{image}</div>"])
    return svg(f'<foreignObject x="10" y="20" width="80" height="60">{wrapped}</foreignObject>')


@family
def html_with_text(random: Random) -> str:
    style = f"color:{hue(random)};font:{random.randrange(10, 20)}px monospace"
    return svg(
        f'<foreignObject width="100" height="100"><p {HTML} style="{style}">AB<br/>CD</p></foreignObject>'
    )


@family
def texts_of_kinds(random: Random) -> str:
    body = f"""<text x="50%" y="{random.randrange(15, 25)}%" text-anchor="middle" dominant-baseline="middle"
      font-family="{random.choice(["serif", "sans-serif", "monospace"])}" font-size="16">Middle</text>
      <text x="10" y="50" font-family="monospace" font-size="9"><tspan font-weight="bold"
      fill="{hue(random)}">bold</tspan>
      <tspan x="10" dy="1.2em">next</tspan></text>
      <text x="95" y="75" style="font: italic 700 12px serif; text-anchor: end; text-transform:
      uppercase">end</text>
      <text x="10" y="92" font-family="sans-serif" font-size="10"
      letter-spacing="{random.randrange(1, 4)}">space</text>"""
    return svg(body)


@family
def texts_on_paths(random: Random) -> str:
    body = f"""<path id="p" d="M10 60 Q 50 {random.randrange(0, 40)} 90 60" fill="none" stroke="silver"/>
      <text font-size="10" font-family="monospace" fill="{hue(random)}"><textPath
      startOffset="{random.randrange(20)}%"
      xlink:href="#p">on a path<animate additive="sum" attributeName="startOffset" from="0%" to="100%"
      begin="0s"
      dur="30s" repeatCount="indefinite"/></textPath></text><text x="10" y="90" font-size="9"
      font-family="sans-serif"
      textLength="{random.randrange(50, 85)}">stretched</text>"""
    return svg(body)


@family
def strokes(random: Random) -> str:
    body = f"""<path d="M10 20h80" stroke="{hue(random)}" stroke-width="6"
      stroke-dasharray="{random.choice(["5", "8 3", "10%, 4"])}"
      stroke-linecap="{random.choice(["round", "butt", "square"])}"/>
      <polyline points="10,80 30,40 50,80 70,40" fill="none" stroke="{hue(random)}" stroke-width="8"
      stroke-linejoin="round"/>
      <circle cx="80" cy="70" r="15" fill="none" stroke="black" stroke-width="4" pathLength="100"
      stroke-dasharray="{random.randrange(20, 80)} 100"/><text x="5" y="98" font-size="20"
      font-family="sans-serif"
      stroke="{hue(random)}" stroke-width="3" paint-order="stroke">Ab</text>"""
    return svg(body)


@family
def markers(random: Random) -> str:
    body = f"""<marker id="a" viewBox="0 0 10 10" refX="5" refY="5" markerWidth="{random.randrange(3, 6)}"
      markerHeight="4"
      orient="{random.choice(["auto", "auto-start-reverse", "45"])}"><path d="M0 0L10 5L0 10z"
      fill="{hue(random)}"/></marker>
      <g style="marker-end: url(#a)"><path d="M10 10L80 20L60 80" fill="none" stroke="black" stroke-width="3"
      marker-start="url(#a)"/><rect x="10" y="60" width="20" height="20"/></g>"""
    return svg(body)


@family
def animations_by_elements(random: Random) -> str:
    body = f"""<rect x="10" y="10" width="30" height="30" fill="{hue(random)}"><animate attributeName="width"
      values="{random.randrange(10, 60)};80;10" dur="100s" repeatCount="indefinite"/></rect>
      <circle cx="70" cy="70" r="10" fill="{hue(random)}"><animateTransform attributeName="transform"
      type="translate"
      from="-{random.randrange(40)} 0" to="0 0" dur="100s"/><set attributeName="fill" to="{hue(random)}"/>
      <animate attributeName="r" from="20" to="1" begin="50s" dur="9s"/></circle>
      <rect width="8" height="8"><animateMotion dur="100s" path="M{random.randrange(60)} 80L90 90"/></rect>"""
    return svg(body)


@family
def animations_by_style(random: Random) -> str:
    waits = random.choice(["", "animation-delay: 50s", "animation-fill-mode: both; animation-delay: 50s"])
    body = f"""<style>@keyframes k
      {{ 0%, 20% {{ opacity: .{random.randrange(3, 9)}; transform: translateX(30px) }} to {{ opacity: 1 }} }}
      @keyframes spin {{ to {{ transform: rotate(360deg) }} }} .a
      {{ animation: k 1000s linear infinite; {waits} }}
      .b {{ animation: 1000s infinite spin; transform-origin: center }}</style>
      <rect class="a" width="50" height="50" fill="{hue(random)}"/><rect class="b" y="60" width="40"
      height="30"/>"""
    return svg(body)


@family
def sizes_of_the_root(random: Random) -> str:
    head = random.choice(
        [
            'width="100%" height="100%" viewBox="0 0 80 40"',
            'viewBox="10 20 60 60" preserveAspectRatio="none" width="200" height="100"',
            'width="2in" height="96"',
            'viewBox="0,0,40,80" height="20em"',
            'width="120" height="80" viewBox="0 0 60 60" preserveAspectRatio="xMinYMid slice"',
            'viewBox="0 0 80 40" style="width:100%;height:auto"',
        ]
    )
    return svg(f'<rect x="10" y="20" width="30" height="30" fill="{hue(random)}"/><circle r="30"/>', head)


@family
def effects_on_the_root(random: Random) -> str:
    style = random.choice(
        [
            "opacity:.5",
            "border-radius:20%;overflow:hidden",
            "transform:rotate(90deg)",
            "transform:scale(.5)",
            "filter:invert(1)",
        ]
    )
    body = f'<rect width="100" height="60" fill="{hue(random)}"/><circle cx="50" cy="50" r="20"/>'
    return svg(body, f'width="100" height="100" style="{style};background:{hue(random)}"')


@family
def what_is_hidden(random: Random) -> str:
    body = f"""<rect width="50" height="50" fill="{hue(random)}"
      visibility="{random.choice(["hidden", "visible", "collapse"])}"/>
      <g style="display:none"><text>日本</text><image href="https://a.example/a.png"/></g>
      <g visibility="hidden"><rect x="50" width="50" height="50" visibility="visible" fill="{hue(random)}"/></g>
      <text y="80" font-size="12" font-family="serif">a<tspan display="none">b</tspan>c</text>
      <switch><rect systemLanguage="fr" width="100" height="100"/><circle cx="70" cy="75" r="15"
      fill="{hue(random)}"/></switch>"""
    return svg(body)


@family
def entities_and_spaces(random: Random) -> str:
    colour = random.choice(["crimson", "#0af", "green"])
    head = f'<?xml version="1.0" encoding="UTF-8"?><!DOCTYPE svg [<!ENTITY ink "{colour}"><!ENTITY ns "http://www.w3.org/2000/svg">]>'
    body = f"""<s:style><![CDATA[ .a {{ stroke: {hue(random)} }} ]]></s:style><s:rect width="60" height="60"
      fill="&ink;"/>
      <s:path class="a" stroke-width="5" d="M5 90h90"/><x:rect width="100" height="100"/>
      <s:text x="5" y="80" font-family="monospace" font-size="9" xml:space="preserve">a   b &lt; c</s:text>"""
    return f'{head}<s:svg xmlns:s="&ns;" xmlns:x="urn:x" viewBox="0 0 100 100">{body}</s:svg>'


@family
def what_scripts_would_draw(random: Random) -> str:
    call = random.choice(["document.createElementNS('a','b')", "document.documentElement.innerHTML='<g/>'"])
    return svg(f'<rect width="100" height="100" fill="{hue(random)}"/><script>{call}</script>')
