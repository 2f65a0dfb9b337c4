"""Families of documents: pictures, HTML, texts, strokes, animations, and what the root does."""

from __future__ import annotations

from random import Random

from PIL import Image

from tests.browser.drawn_parts import HTML, hue, pixels, svg, uri


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


def pictures_in_places(random: Random) -> str:
    target = uri("image/png", pixels(random, "PNG", (32, 16)))
    ratio = random.choice(["none", "xMidYMid slice", "xMinYMax meet", "xMaxYMid"])
    body = f"""<image width="60" height="50" preserveAspectRatio="{ratio}" href="{target}"/><g opacity=".5">
      <image x="50" y="50" width="50" height="50" transform="rotate(5)" href="{target}"/></g>"""
    return svg(body, 'viewBox="-5 -5 110 110" style="background:silver"')


def pictures_turned_or_in_other_colours(random: Random) -> str:
    exif = Image.Exif()
    exif[0x0112] = random.choice([1, 3, 6, 8])
    target = uri("image/jpeg", pixels(random, "JPEG", (48, 32), exif=exif, quality=95))
    return svg(f'<image width="100" height="100" href="{target}"/>')


def documents_within(random: Random) -> str:
    inner = svg(
        f'<style>rect{{fill:{hue(random)};transform:translateX(3px)}}</style><rect width="6" height="8"/>',
        'viewBox="0 0 10 10"',
    )
    target = uri(random.choice(["image/svg+xml", "image/SVG+XML"]), inner.encode())
    return svg(f'<image x="5" y="10" width="{random.randrange(50, 90)}" height="70" href="{target}"/>')


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


def html_with_a_picture(random: Random) -> str:
    target = uri("image/png", pixels(random, "PNG", (30, 30)))
    fit = random.choice(["", "object-fit:cover", "object-fit:contain", "image-rendering:pixelated"])
    size = random.choice(['width="80" height="60"', 'style="width:100%;height:100%;display:block;{}"'])
    image = f'<img {HTML} {size.format(fit)} src="{target}"/>'
    wrapped = random.choice([image, f"<div {HTML} style='height:100%'>{image}</div>"])
    return svg(f'<foreignObject x="10" y="20" width="80" height="60">{wrapped}</foreignObject>')


def html_with_text(random: Random) -> str:
    style = f"color:{hue(random)};font:{random.randrange(10, 20)}px monospace"
    return svg(
        f'<foreignObject width="100" height="100"><p {HTML} style="{style}">AB<br/>CD</p></foreignObject>'
    )


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


def markers(random: Random) -> str:
    body = f"""<marker id="a" viewBox="0 0 10 10" refX="5" refY="5" markerWidth="{random.randrange(3, 6)}"
      markerHeight="4"
      orient="{random.choice(["auto", "auto-start-reverse", "45"])}"><path d="M0 0L10 5L0 10z"
      fill="{hue(random)}"/></marker>
      <g style="marker-end: url(#a)"><path d="M10 10L80 20L60 80" fill="none" stroke="black" stroke-width="3"
      marker-start="url(#a)"/><rect x="10" y="60" width="20" height="20"/></g>"""
    return svg(body)


def animations_by_elements(random: Random) -> str:
    body = f"""<rect x="10" y="10" width="30" height="30" fill="{hue(random)}"><animate attributeName="width"
      values="{random.randrange(10, 60)};80;10" dur="100s" repeatCount="indefinite"/></rect>
      <circle cx="70" cy="70" r="10" fill="{hue(random)}"><animateTransform attributeName="transform"
      type="translate"
      from="-{random.randrange(40)} 0" to="0 0" dur="100s"/><set attributeName="fill" to="{hue(random)}"/>
      <animate attributeName="r" from="20" to="1" begin="50s" dur="9s"/></circle>
      <rect width="8" height="8"><animateMotion dur="100s" path="M{random.randrange(60)} 80L90 90"/></rect>"""
    return svg(body)


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


def what_is_hidden(random: Random) -> str:
    body = f"""<rect width="50" height="50" fill="{hue(random)}"
      visibility="{random.choice(["hidden", "visible", "collapse"])}"/>
      <g style="display:none"><text>日本</text><image href="https://a.example/a.png"/></g>
      <g visibility="hidden"><rect x="50" width="50" height="50" visibility="visible" fill="{hue(random)}"/></g>
      <text y="80" font-size="12" font-family="serif">a<tspan display="none">b</tspan>c</text>
      <switch><rect systemLanguage="fr" width="100" height="100"/><circle cx="70" cy="75" r="15"
      fill="{hue(random)}"/></switch>"""
    return svg(body)


def entities_and_spaces(random: Random) -> str:
    colour = random.choice(["crimson", "#0af", "green"])
    head = f'<?xml version="1.0" encoding="UTF-8"?><!DOCTYPE svg [<!ENTITY ink "{colour}"><!ENTITY ns "http://www.w3.org/2000/svg">]>'
    body = f"""<s:style><![CDATA[ .a {{ stroke: {hue(random)} }} ]]></s:style><s:rect width="60" height="60"
      fill="&ink;"/>
      <s:path class="a" stroke-width="5" d="M5 90h90"/><x:rect width="100" height="100"/>
      <s:text x="5" y="80" font-family="monospace" font-size="9" xml:space="preserve">a   b &lt; c</s:text>"""
    return f'{head}<s:svg xmlns:s="&ns;" xmlns:x="urn:x" viewBox="0 0 100 100">{body}</s:svg>'


def what_scripts_would_draw(random: Random) -> str:
    call = random.choice(["document.createElementNS('a','b')", "document.documentElement.innerHTML='<g/>'"])
    return svg(f'<rect width="100" height="100" fill="{hue(random)}"/><script>{call}</script>')
