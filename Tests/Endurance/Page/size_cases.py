"""Each view at the sizes of a phone and a desk, and with text of twice the size."""
import base64
import difflib
import os
import pathlib
import struct

from browser import Browser, Failed
from outline import CONTROL_FAULTS, LANDMARKS, outline
from place import link, sign_in
from scene import night, viewed

GOLDEN = pathlib.Path(__file__).with_name("outlines.txt")
SIZES = ((390, 844), (1280, 800))

# Counts the colours of a picture.
COLOURS = """(async () => {
  const bytes = Uint8Array.from(atob(%r), (one) => one.charCodeAt(0));
  const image = await createImageBitmap(new Blob([bytes], {type: 'image/png'}));
  const canvas = new OffscreenCanvas(image.width, image.height).getContext('2d');
  canvas.drawImage(image, 0, 0);
  return new Set(new Uint32Array(canvas.getImageData(0, 0, image.width, image.height).data.buffer)).size;
})()"""
# An empty page has one colour; a line of text has its own, those of its edges, and that of its ground.
FEWEST_COLOURS = 20


def opened(tab, paths):
    """Opens each view, also those that are no view of a record, and gives its name."""
    for name, path in paths.items():
        viewed(tab, path)
        yield name
    tab.open(link())
    yield "sign-in"
    viewed(tab, paths["gate"])


def pictures(browser):
    """A picture of each view at two sizes, and what the accessibility tree has."""
    tab, counter = browser.tab(), browser.tab()
    seen = {}

    def look(name):
        check_picture(tab, counter, f"{name} at {width}x{height}", (width, height))
        seen.setdefault(name, []).append(outline(tab))

    for name in ("not signed in", "first overview"):
        for width, height in SIZES:
            tab.size(width, height)
            viewed(tab, "")
            look(name)
        if name == "not signed in":
            sign_in(tab, "steer", "a phone")
    paths = night()
    for width, height in SIZES:
        tab.size(width, height)
        for name in opened(tab, paths):
            look(name)
    text = "".join(f"== {name}\n" + "".join(f"{line}\n" for line in merged(*outlines)) + "\n" for name, outlines in seen.items())
    if os.environ.get("AGENTPIPES_RECORD"):
        GOLDEN.write_text(text, encoding="utf-8")
    golden = GOLDEN.read_text(encoding="utf-8")
    if golden != text:
        changes = "\n".join(difflib.unified_diff(golden.splitlines(), text.splitlines(), GOLDEN.name, "the views", lineterm="", n=2))
        raise Failed(f"AGENTPIPES_RECORD=1 records what is shown now:\n{changes}")
    print(f"{len(seen)} views at {len(SIZES)} sizes have their landmarks, headings and controls")


def merged(*outlines):
    """Returns the lines of the outlines of one view; a line that only one size has names the size."""
    marks = [f"  ({width}x{height} alone)" for width, height in SIZES]
    for tag, *ranges in difflib.SequenceMatcher(None, *outlines, autojunk=False).get_opcodes():
        for lines, mark, (first, end) in zip(outlines, marks, (ranges[:2], ranges[2:])):
            if tag != "equal" or mark == marks[0]:
                yield from (line + mark * (tag != "equal") for line in lines[first:end])


def check_picture(tab, counter, what, size):
    """Fails unless the picture of what is seen has the size of the window, and more than its ground."""
    png = tab.picture()
    if (found := struct.unpack(">II", png[16:24])) != size:
        raise Failed(f"the picture of {what} is {found}")
    colours = counter.value(COLOURS % base64.b64encode(png).decode(), wait=True)
    if colours < FEWEST_COLOURS:
        raise Failed(f"the picture of {what} has {colours} colours")


def large_text(browser):
    """Text of twice the size: by the browser's zoom, and by the font that a person sets in it."""
    tab = browser.tab()
    sign_in(tab, "steer", "a zoomed window")
    paths = night()
    usual = {name: outline(tab, LANDMARKS | {"heading"}) for name in opened(tab, paths)}
    check_large(tab, paths, usual, "zoom")
    with Browser(font=32) as other:
        tab = other.tab()
        sign_in(tab, "steer", "a large font")
        check_large(tab, paths, usual, "font")


def check_large(tab, paths, usual, way):
    """Fails unless each view can be read and pressed, and has the landmarks and headings that it usually has."""
    for width, height in SIZES:
        if way == "zoom":
            # A browser that zooms has fewer pixels of CSS, each of which is larger.
            tab.send("Emulation.setDeviceMetricsOverride", width=width // 2, height=height // 2, deviceScaleFactor=2, mobile=False)
        else:
            tab.size(width, height)
        for name in opened(tab, paths):
            check_size(tab, name, way)
            if faults := tab.value(CONTROL_FAULTS):
                raise Failed(f"{name}, {way} at {width}: {faults[:5]}")
            if (lines := outline(tab, LANDMARKS | {"heading"})) != usual[name]:
                raise Failed(f"{name}, {way} at {width}: {lines}, not {usual[name]}")
    print(f"{len(usual)} views can be read and pressed at 200 % by {way}", flush=True)


def check_size(tab, name, way):
    """Fails unless the text is as large as wanted, without which the other checks show nothing."""
    size = tab.value("parseFloat(getComputedStyle(document.querySelector('h1')).fontSize) * devicePixelRatio")
    if size != 48:
        raise Failed(f"{name}: the heading has {size} pixels by {way}")
