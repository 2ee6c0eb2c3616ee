#!/usr/bin/env python3
"""Judges pages by html5lib: only our elements and attributes, and no address that leads to a script.

Reads pages from standard input, each ended by a NUL, and prints their number; a fault ends it.
"""
import sys

import html5lib

ELEMENTS = set("""a bdi blockquote body button code dd del div dl dt em footer form h1 h2 h3 h4 h5 h6 head header hr
html input label li link main meta nav noscript ol option p pre script section select span strong table tbody td textarea th thead title tr
ul""".split())
ATTRIBUTES = set("""action aria-current aria-label autocomplete charset class content data-host data-hosts data-last data-live defer for hidden href id lang
maxlength method minlength name rel required role rows scope selected src tabindex type value""".split())
ADDRESSES = {"action", "href", "src"}


def fault(page):
    parser = html5lib.HTMLParser(tree=html5lib.getTreeBuilder("etree"), namespaceHTMLElements=False)
    tree = parser.parse(page.decode())
    if parser.errors:
        return f"parse errors: {parser.errors[:3]}"
    scripts = 0
    for node in tree.iter():
        if not isinstance(node.tag, str) or node.tag not in ELEMENTS:
            return f"element {node.tag!r}"
        if node.tag == "script":
            scripts += 1
            if (node.text or "") or node.get("src") != "/page/script.js":
                return "a script of its own"
        for name, value in node.attrib.items():
            if name not in ATTRIBUTES:
                return f"attribute {name!r} of {node.tag}"
            if name in ADDRESSES and not value.startswith(("/page", "#", "https://", "http://")):
                return f"address {value!r}"
    if scripts != 1:
        return f"{scripts} scripts"
    for character in page.decode():
        if character != "\n" and character != "\t" and (ord(character) < 32 or 0x7f <= ord(character) < 0xa0
                or character in "\u202a\u202b\u202d\u202e\u2066\u2067\u2068\u2069\ufeff"):
            return f"the character {character!r}"
    return None


def main():
    pages = sys.stdin.buffer.read().split(b"\0")[:-1]
    for number, page in enumerate(pages):
        found = fault(page)
        if found:
            sys.exit(f"page {number}: {found}\n{page.decode()[:4000]}")
    print(len(pages))


if __name__ == "__main__":
    main()
