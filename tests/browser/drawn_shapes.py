"""Families of documents: texts and pixels, variables, transforms, selectors, geometry."""

from __future__ import annotations

from random import Random

from tests.browser.drawn_parts import hue, svg


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


def pixel_art_by_one_path_a_colour(random: Random) -> str:
    paths = ""
    for _ in range(4):
        strokes = "".join(
            f"M{random.randrange(30)} {random.randrange(32)}.5h{random.randrange(1, 8)}" for _ in range(60)
        )
        paths += f'<path stroke="{hue(random)}" d="{strokes}"/>'
    return svg(paths, 'viewBox="0 0 32 32" shape-rendering="crispEdges" style="background:#eee"')


def grid_of_letters(random: Random) -> str:
    rows = "".join(
        f'<text x="{random.choice(["5", "5%"])}" y="{row * 12 + 14}">{"".join(random.choices("/|+-xO.#", k=24))}</text>'
        for row in range(15)
    )
    style = (
        f"text{{font:{random.choice(['bold ', ''])}10px/1.2 monospace;fill:{hue(random)};white-space:pre}}"
    )
    return svg(f"<style>{style}</style>{rows}", 'width="200" height="200" style="background-color:#111"')


def ground_of_the_root(random: Random) -> str:
    colour = hue(random)
    ground = random.choice(
        [f"background:{colour}", f"background-color:{colour};display:block", f"background: {colour} none"]
    )
    size = random.choice(
        ['viewBox="0 0 60 40"', 'viewBox="0 0 60 40" width="300" height="300"', 'width="60" height="40"']
    )
    return svg(f'<circle cx="30" cy="20" r="15" fill="{hue(random)}"/>', f'{size} style="{ground}"')


def variables_of_style(random: Random) -> str:
    scope = random.choice([":root", "svg", "*:root"])
    body = f"""<style>{scope} {{ --ink: {hue(random)}; --edge: var(--ink); --w: {random.randrange(2, 8)}px }}
      .n {{ --ink: {hue(random)} }} rect {{ stroke: var(--edge); stroke-width: var(--w) }}</style>
      <rect x="5" y="5" width="40" height="40" fill="var(--ink)"/>
      <g class="n"><rect x="55" y="5" width="40" height="40" style="fill:var(--ink)"/></g>
      <circle cx="25" cy="75" r="20" fill="var(--missing, var(--none, {hue(random)}))"/>
      <circle cx="75" cy="75" r="20" style="--ink:{hue(random)};fill:var( --ink )"/>"""
    return svg(body)


def variables_in_values(random: Random) -> str:
    body = f"""<style>.a {{ --h: {random.randrange(360)}; --s: 70%; fill: hsl(var(--h), var(--s), 50%);
      --move: translate({random.randrange(20)}px, 10px) }} #b {{ transform: var(--move) scale(var(--k, .5)) }}
      #c {{ width: calc(var(--n, 3) * 10px); height: 20px; fill: var(--bad }}</style>
      <g class="a"><rect id="b" width="80" height="60"/><rect id="c" y="70"/></g>
      <circle r="10" cx="80" cy="80" fill="red" style="fill:var(--nothing)"/>"""
    return svg(body)


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


def properties_that_transform(random: Random) -> str:
    scale = random.choice([".7", "1.2 .8"])
    style = f"translate: {random.randrange(5, 30)}px; rotate: {random.randrange(5, 50)}deg; scale: {scale}"
    body = f"""<style>.m {{ {style}; transform-origin: {random.choice(["40px 40px", "center"])} }}</style>
      <rect class="m" x="30" y="30" width="30" height="20" fill="{hue(random)}"/>
      <g transform="rotate(20)" transform-origin="{random.randrange(20, 60)} 50"><path d="M60
      10h30v5h-30z"/></g>"""
    return svg(body)


_NAMES = ("class='a'", "class='b a'", "", "id='one'")


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


def media_and_imports(random: Random) -> str:
    body = f"""<style>@import url('https://fonts.googleapis.com/css2?family=Some');
      @font-face {{ font-family: Away; src: url(https://a.example/a.woff2) }} rect {{ fill: {hue(random)} }}
      @media (prefers-color-scheme: dark) {{ rect {{ fill: black }} }}
      @media screen {{ circle {{ fill: {hue(random)} }} }} @media print {{ circle {{ fill: red }} }}
      @media not all and (prefers-color-scheme: light) {{ circle {{ r: 5px }} }}
      @supports (fill: red) {{ circle {{ stroke: {hue(random)}; stroke-width: 5 }} }}</style>
      <rect width="50" height="50"/><circle cx="60" cy="60" r="{random.randrange(15, 35)}"/>"""
    return svg(body)


def geometry_of_style(random: Random) -> str:
    body = f"""<style>rect
      {{ x: {random.randrange(5, 20)}px; y: 10%; width: calc(50% - 1em); height: 2rem; rx: 5px }}
      circle {{ cx: 70%; cy: 60px; r: {random.randrange(10, 25)}px }} ellipse {{ rx: 10px; ry: max(5px, 8%) }}
      path {{ d: path("M10 70 L{random.randrange(30, 60)} 70 L20 95Z") }}</style>
      <rect fill="{hue(random)}"/><circle fill="{hue(random)}"/><ellipse cx="80" cy="20"/><path/>
      <line x1="1rem" y1="0" x2="calc(20% + 5px)" y2="60" stroke="red" style="stroke-width:.2em"/>"""
    return svg(body)
