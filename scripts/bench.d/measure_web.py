#!/usr/bin/env python3
"""What `scripts/bench web` measures with.

    measure_web.py pages FOLDER COUNT [--seed N]    makes pages of the size of common ones
    measure_web.py with TOOL < PATHS                pages, CPU s, peak MB of trafilatura or resiliparse
    measure_web.py each COMMAND... < PATHS          pages, CPU s of a process a page

The pages of `with` are read before the clock starts, so that only the work counts. Each line of
figures is separated by tabs.
"""

import os
import pathlib
import random
import resource
import subprocess
import sys
import time

SYLLABLES = "ba ce di fo gu la me ni po ru sa te vi no ha ki lo mu ra si ta en ar or is al un".split()


def words(random_numbers, count):
    return " ".join(
        "".join(random_numbers.choices(SYLLABLES, k=random_numbers.randint(1, 4)))
        for _ in range(count)
    )


def sentence(numbers):
    text = words(numbers, numbers.randint(6, 24)).capitalize()
    return f'{text} <a href="/{words(numbers, 1)}">{words(numbers, 2)}</a>.' if (
        numbers.random() < 0.15) else text + "."


def block(numbers):
    """One piece of an article."""
    kind = numbers.random()
    if kind < 0.7:
        return "<p>" + " ".join(sentence(numbers) for _ in range(numbers.randint(2, 7))) + "</p>"
    if kind < 0.8:
        return f"<h2>{words(numbers, 4).capitalize()}</h2>"
    if kind < 0.88:
        return "<ul>" + "".join(
            f"<li>{sentence(numbers)}</li>" for _ in range(numbers.randint(3, 8))) + "</ul>"
    if kind < 0.93:
        rows = "".join(
            f"<tr><td>{words(numbers, 2)}</td><td>{numbers.randint(0, 999)}</td></tr>"
            for _ in range(6))
        return f"<table><tr><th>A</th><th>B</th></tr>{rows}</table>"
    if kind < 0.97:
        return f"<blockquote><p>{sentence(numbers)}</p></blockquote>"
    return f'<pre><code class="language-c">int {words(numbers, 1)} = {numbers.randint(0, 9)};\n' \
        "return 0;</code></pre>"


def page(numbers):
    """A page as they are on the web: most of it is not its content."""
    title = words(numbers, 6).capitalize()
    def links(count):
        return "".join(
            f'<li class="menu-item menu-item-{numbers.randint(1, 9999)}"><a href="/{words(numbers, 1)}"'
            f' data-track="{words(numbers, 1)}">{words(numbers, 2)}</a></li>' for _ in range(count))
    script = "".join(
        f"var {words(numbers, 1)}={{a:{numbers.randint(0, 9999)},b:'{words(numbers, 3)}'}};"
        for _ in range(numbers.randint(50, 1200)))
    style = "".join(
        f".{words(numbers, 1)}-{numbers.randint(0, 99)}{{margin:{numbers.randint(0, 20)}px}}"
        for _ in range(numbers.randint(50, 600)))
    body = "\n".join(block(numbers) for _ in range(numbers.randint(8, 60)))
    related = "".join(
        f'<div class="card"><a href="/{words(numbers, 1)}"><img src="/{words(numbers, 1)}.jpg"'
        f' alt="{words(numbers, 3)}"><span>{words(numbers, 7)}</span></a></div>'
        for _ in range(numbers.randint(4, 30)))
    return f"""<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>{title} | Site</title>
<meta property="og:title" content="{title}"><meta name="author" content="{words(numbers, 2)}">
<meta property="article:published_time" content="2026-02-25T10:00:00Z">
<script type="application/ld+json">{{"@type":"Article","headline":"{title}"}}</script>
<style>{style}</style><script>{script}</script></head>
<body><header><nav><ul>{links(numbers.randint(10, 80))}</ul></nav></header>
<div id="main" class="container"><article class="post"><h1>{title}</h1>
{body}
</article><aside class="related">{related}</aside></div>
<footer><ul>{links(numbers.randint(10, 60))}</ul><p>All rights reserved.</p></footer>
<script>{script}</script></body></html>
"""


def make_pages(arguments):
    folder, count = pathlib.Path(arguments[0]), int(arguments[1])
    numbers = random.Random(int(arguments[3]) if arguments[2:3] == ["--seed"] else 1)
    folder.mkdir(parents=True, exist_ok=True)
    for number in range(count):
        (folder / f"page-{number:04}.html").write_text(page(numbers), encoding="utf-8")


def paths():
    return [path for path in sys.stdin.read().split("\n") if path]


def anonymous_peak():
    """The peak of all memory less what is mapped from files now."""
    shared = 0
    with open("/proc/self/status", encoding="ascii") as file:
        for line in file:
            if line.startswith("RssFile:"):
                shared = int(line.split()[1])
    return (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - shared) / 1024


def by_trafilatura():
    import trafilatura

    def read(content):
        trafilatura.extract(
            content, output_format="json", with_metadata=True, include_formatting=True,
            include_links=True)
    return read


def by_resiliparse():
    from resiliparse.extract.html2text import extract_plain_text
    from resiliparse.parse.encoding import bytes_to_str, detect_encoding

    def read(content):
        extract_plain_text(bytes_to_str(content, detect_encoding(content)), main_content=True)
    return read


def in_process(arguments):
    read = {"trafilatura": by_trafilatura, "resiliparse": by_resiliparse}[arguments[0]]()
    contents = [pathlib.Path(path).read_bytes() for path in paths()]
    held = sum(map(len, contents)) / 1e6
    began = time.process_time()
    for content in contents:
        try:
            read(content)
        except Exception as error:
            print(f"{arguments[0]}: {error}", file=sys.stderr)
    print(f"{len(contents)}\t{time.process_time() - began:.3f}\t{anonymous_peak() - held:.1f}")


def each(arguments):
    count = 0
    for path in paths():
        subprocess.run(
            [*arguments, path], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL, check=False)
        count += 1
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    print(f"{count}\t{usage.ru_utime + usage.ru_stime:.3f}")


COMMANDS = {"pages": make_pages, "with": in_process, "each": each}


def main():
    if len(sys.argv) < 2 or sys.argv[1] in ("-h", "--help"):
        print(__doc__)
        return
    if sys.argv[1] not in COMMANDS:
        sys.exit(f"measure_web: unknown command '{sys.argv[1]}'")
    COMMANDS[sys.argv[1]](sys.argv[2:])


if __name__ == "__main__":
    main()
