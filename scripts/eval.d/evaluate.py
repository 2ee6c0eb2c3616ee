#!/usr/bin/env python3
"""What scripts/eval measures with; the scorer comes with the data.

    evaluate.py answers < RECORDS        page records of web-fetch as the scorer reads them
    evaluate.py trafilatura < PATHS      the same answers by trafilatura, one page a line
    evaluate.py truth FOLDER             what is known of the pages of FOLDER/PAGE/expected-metadata.json
    evaluate.py table FOLDER             the table, from the scores in FOLDER

A page is known by its file's name, and a `source.html` by its folder's.
"""

import collections
import concurrent.futures
import json
import os
import pathlib
import statistics
import sys
import urllib.parse

# What the pages of one folder were saved from; their own files say their links from there.
HOST = "http://fakehost/test/"
TOOLS = ("web-fetch", "trafilatura")
# Floors: the best of all tools measured, less .03 for each type of page.
AIMS = {
    "all": 0.88, "article": 0.924, "collection": 0.607, "documentation": 0.907, "forum": 0.761,
    "listing": 0.699, "product": 0.716, "service": 0.814,
}


def name_of(path):
    path = pathlib.PurePath(path)
    return path.parent.name if path.name == "source.html" else path.stem


def answers():
    for line in sys.stdin.buffer:
        record = json.loads(line)
        if record.get("type") != "page":
            continue
        path = record.get("path") or urllib.parse.unquote(urllib.parse.urlsplit(record["url"]).path)
        folder = pathlib.Path(path).resolve().parent.as_uri() + "/"
        markdown = (record.get("markdown") or "").replace(folder, HOST)
        answer = {
            "id": name_of(path),
            "text": record.get("text") or "",
            "markdown": markdown.replace("file:///", "http://fakehost/"),
            "title": record.get("title"),
            "author": record.get("author"),
            "date": record.get("publishedAt"),
            "siteName": record.get("siteName"),
            "lang": record.get("language"),
            "description": record.get("description"),
        }
        print(json.dumps({key: value for key, value in answer.items() if value is not None}))


def read_with_trafilatura(path):
    import trafilatura

    with open(path, "rb") as file:
        page = file.read()
    answer = {"id": name_of(path), "text": "", "markdown": ""}
    try:
        found = trafilatura.bare_extraction(page, with_metadata=True)
        if found is not None:
            answer |= {
                "text": found.text or "", "title": found.title, "author": found.author,
                "date": found.date, "siteName": found.sitename, "lang": found.language,
                "description": found.description,
            }
        if os.path.basename(path) == "source.html":
            answer["markdown"] = trafilatura.extract(
                page, output_format="markdown", include_formatting=True, include_links=True
            ) or ""
    except Exception as error:  # A page that it cannot read is an empty answer, as with web-fetch.
        print(f"trafilatura: {path}: {error}", file=sys.stderr)
    return json.dumps(answer)


def by_trafilatura():
    paths = sys.stdin.read().split("\n")
    with concurrent.futures.ProcessPoolExecutor() as pool:
        for answer in pool.map(read_with_trafilatura, filter(None, paths), chunksize=16):
            print(answer)


def truth(folder):
    files = sorted(pathlib.Path(folder).glob("*/expected-metadata.json"))
    print(json.dumps({
        file.parent.name: json.loads(file.read_text(encoding="utf-8")) for file in files
    }))


def scores(folder, kind, tool):
    """The lines of a score: one a page where there are any, and the whole."""
    lines = pathlib.Path(folder, f"{kind}.{tool}.score").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


def row(name, values, aim=""):
    print(f"{name:<44} " + " ".join(f"{value:>12}" for value in values) + f"  {aim}".rstrip())


def figure(value):
    return f"{value:.3f}"


def table(folder):
    words = {tool: scores(folder, "words", tool) for tool in TOOLS}
    whole = {tool: words[tool][-1] for tool in TOOLS}
    row(f"words, F1, {whole[TOOLS[0]]['pages']} pages", TOOLS, "aim")
    row("all", [figure(whole[tool]["f1"]) for tool in TOOLS], f"≥ {AIMS['all']:.3f}")
    types = {tool: collections.defaultdict(list) for tool in TOOLS}
    for tool in TOOLS:
        for page in words[tool][:-1]:
            types[tool][page.get("page_type") or "none"].append(page["f1"])
    for kind in sorted(types[TOOLS[0]]):
        values = [figure(statistics.fmean(types[tool][kind])) for tool in TOOLS]
        row(f"{kind}, {len(types[TOOLS[0]][kind])} pages", values,
            f"≥ {AIMS[kind]:.3f}" if kind in AIMS else "")
    for name in ("precision", "recall", "with", "without"):
        row(name, [figure(whole[tool][name]) for tool in TOOLS])
    row("no text", [whole[tool]["empty"] for tool in TOOLS])

    pieces = {tool: scores(folder, "pieces", tool)[-1] for tool in TOOLS}
    print()
    row(f"pieces, {pieces[TOOLS[0]]['pages']} pages", TOOLS, "aim")
    for name in ("f1", "precision", "recall"):
        row(name, [figure(pieces[tool][name]) for tool in TOOLS], "≥ 0.929" if name == "f1" else "")

    stories = {tool: scores(folder, "stories", tool)[-1] for tool in TOOLS}
    print()
    row(f"stories alone, runs of four words, {stories[TOOLS[0]]['pages']} pages", TOOLS, "aim")
    for name in ("f1", "precision", "recall"):
        row(name, [figure(stories[tool][name]) for tool in TOOLS], "≥ 0.960" if name == "f1" else "")

    marks = {tool: scores(folder, "markdown", tool)[-1] for tool in TOOLS}
    print()
    row(f"Markdown, {marks[TOOLS[0]]['pages']} pages", TOOLS, "aim")
    for name in [name for name in marks[TOOLS[0]] if name == "f1" or "_" in name]:
        row(name.replace("_", " "), [figure(marks[tool][name]) for tool in TOOLS],
            "≥ 0.860" if name == "f1" else "")

    for kind, pages in (("meta", whole), ("marks-meta", marks)):
        found = {tool: scores(folder, kind, tool)[-1] for tool in TOOLS}
        print()
        row(f"metadata, {pages[TOOLS[0]]['pages']} pages", TOOLS, "aim")
        for name, value in found[TOOLS[0]].items():
            if name not in ("name", "dir"):
                aim = "better" if kind == "meta" else ""
                row(f"{name}, of {value['of']}", [found[tool][name]["hit"] for tool in TOOLS], aim)


COMMANDS = {"answers": answers, "trafilatura": by_trafilatura, "truth": truth, "table": table}


def main():
    if len(sys.argv) < 2 or sys.argv[1] in ("-h", "--help"):
        print(__doc__)
        return
    if sys.argv[1] not in COMMANDS:
        sys.exit(f"evaluate: unknown command '{sys.argv[1]}'")
    COMMANDS[sys.argv[1]](*sys.argv[2:])


if __name__ == "__main__":
    main()
