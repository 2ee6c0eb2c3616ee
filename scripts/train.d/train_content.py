"""Trains the content model of Reading on pages whose content is known.

  train_content.py --truth TRUTH.json.gz --articles FOLDER --segments SEGMENTS.json.gz
                   --shingles SHINGLES.json.gz --blocks BLOCKS.ndjson --features FEATURES MODEL.c

BLOCKS and FEATURES are what content-training writes, of the pages that TRUTH knows, of the
articles FOLDER/PAGE/source.html, whose content is in expected.html beside it, and of the pages
that SEGMENTS and SHINGLES know. A block's words are looked up in the page's true content; of a
page of SEGMENTS those blocks are known that hold a piece which belongs to the content, or one that
does not. Boosted trees learn how likely a block is content, from the pages of TRUTH what kind of
page it is, and from all but FOLDER whether the page tells a story.
Prints how good the trees are on pages of sites that they were not trained on, and writes those
that were trained on all.
"""

import argparse
import collections
import gzip
import html.parser
import json
import os
import re
import typing
import urllib.parse

import lightgbm
import numpy
from rapidfuzz.distance import LCSseq

from tree_writer import trees, write

WORD = re.compile(r"\w+")
KINDS = ["article", "documentation", "forum", "product", "collection", "listing", "service"]
# What the articles of a folder of their own are called where pages are told apart.
ARTICLES = "articles"
# The same of the pages of which pieces are known, and of the articles without their headlines.
SEGMENTS = "segments"
SHINGLES = "shingles"
# What a block counts that such a piece tells of, in pages; a reader's comment may be content.
KNOWN, COMMENT = 0.5, 0.25
# A piece that fills less of a block says what the block is if it has so many characters.
FILLED, LONG = 0.3, 25
FOLDS = 3
# What of a host's name is no name of a site.
SHARED = {"ac", "co", "com", "edu", "gov", "gv", "net", "or", "org"}
# What a page of those articles counts, in pages: few are known, and of these all marks.
ARTICLE = 4
# The likelihood above which a page counts as a story. In a story, the beta of the F score is
# STORY_BETA, and blocks below STORY_LEAST are left out. PageTyping and BlockChoice hold the same
# numbers.
STORY, STORY_BETA, STORY_LEAST = 0.7, 0.65, 0.6
# The weight of a page of SEGMENTS, a few of which are no stories, where stories are told apart.
STORY_SEGMENTS = 0.5
BLOCKS = dict(
    objective="cross_entropy", learning_rate=0.06, num_leaves=15, min_data_in_leaf=200,
    feature_fraction=0.25, bagging_fraction=0.7, bagging_freq=1, lambda_l2=5, max_bin=63,
    verbose=-1, seed=1, deterministic=True, num_threads=2)
BLOCK_TREES = 400
PAGES = dict(
    objective="multiclass", num_class=len(KINDS), learning_rate=0.1, num_leaves=6,
    min_data_in_leaf=12, feature_fraction=0.3, bagging_fraction=0.8, bagging_freq=1, lambda_l2=5,
    verbose=-1, seed=1, deterministic=True, num_threads=2)
PAGE_ROUNDS = 30
STORIES = dict(
    objective="binary", learning_rate=0.08, num_leaves=8, min_data_in_leaf=12,
    feature_fraction=0.3, bagging_fraction=0.8, bagging_freq=1, lambda_l2=5, verbose=-1, seed=1,
    deterministic=True, num_threads=2)
STORY_ROUNDS = 100


def words(text):
    return WORD.findall(text.lower())


class Text(html.parser.HTMLParser):
    """The text of a page of which all is content, a line a block."""
    INLINE = {"a", "abbr", "b", "cite", "code", "em", "font", "i", "kbd", "mark", "q", "s", "small",
              "span", "strong", "sub", "sup", "time", "tt", "u", "var"}
    SILENT = {"script", "style", "template"}

    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.parts = []
        self.silent = 0

    def handle_starttag(self, tag, attributes):
        self.silent += tag in self.SILENT
        if tag not in self.INLINE:
            self.parts.append("\n")

    def handle_endtag(self, tag):
        self.silent -= tag in self.SILENT
        if tag not in self.INLINE:
            self.parts.append("\n")

    def handle_data(self, data):
        if not self.silent:
            self.parts.append(" ".join(data.split("\n")))


def expected(folder):
    with open(os.path.join(folder, "expected.html"), encoding="utf-8") as file:
        reader = Text()
        reader.feed(file.read())
        reader.close()
    return "".join(reader.parts)


def labels(blocks, content):
    """How much of each block is content, 0 to 1."""
    true = words(content)
    page = [word for block in blocks for word in block]
    owner = numpy.repeat(numpy.arange(len(blocks)), [len(block) for block in blocks])
    ids = {}
    a = [ids.setdefault(word, len(ids)) for word in page]
    b = [ids.setdefault(word, len(ids)) for word in true]
    fours = {tuple(b[i:i + 4]) for i in range(len(b) - 3)}
    shared = numpy.zeros(len(a))
    for i in range(len(a) - 3):
        if tuple(a[i:i + 4]) in fours:
            shared[i:i + 4] = 1
    ordered = numpy.zeros(len(a))
    if len(a) * len(b) < 4e9:
        for step in LCSseq.opcodes(a, b):
            if step.tag == "equal":
                ordered[step.src_start:step.src_end] = 1
    counts = numpy.array([len(block) for block in blocks])
    shared = numpy.bincount(owner, weights=shared, minlength=len(blocks))
    ordered = numpy.bincount(owner, weights=ordered, minlength=len(blocks))
    lines = {" ".join(words(line)) for line in content.split("\n")}
    result = numpy.zeros(len(blocks))
    unsure = []
    for i, count in enumerate(counts):
        if count >= 4:
            result[i] = shared[i] / count
        elif count and ordered[i] == count:
            result[i] = 1
            if " ".join(blocks[i]) not in lines:
                unsure.append(i)
    # A short block whose words come in order counts where most blocks around it are content.
    for i in unsure:
        near = [result[j] > 0.6 for j in range(max(0, i - 3), min(len(blocks), i + 4))
                if counts[j] >= 4]
        result[i] = 1 if near and sum(near) * 2 >= len(near) else 0
    return result, counts, len(true)


def squeezed(text):
    return re.sub(r"\s+", "", text)


def find(pieces, blocks, least, share):
    """The blocks that hold so many characters of a piece, or that it fills to such a share."""
    whole = "".join(blocks)
    starts = numpy.cumsum([0] + [len(block) for block in blocks])
    found = numpy.zeros(len(blocks), bool)
    for piece in map(squeezed, pieces or []):
        at = whole.find(piece) if len(piece) > 2 else -1
        while at >= 0:
            end = at + len(piece)
            first, last = numpy.searchsorted(starts, [at, end - 1], side="right") - 1
            for i in range(first, last + 1):
                held = min(end, starts[i + 1]) - max(at, starts[i])
                found[i] |= held >= least or held >= share * len(blocks[i])
            at = whole.find(piece, at + 1)
    return found


def segment_labels(texts, known):
    """What is known of each block: whether it is content, and how much that counts."""
    blocks = [squeezed(text) for text in texts]
    right = find(known["with"], blocks, 1, 0)
    wrong = find(known["without"], blocks, LONG, FILLED) & ~right
    comment = find(known.get("comments"), blocks, LONG, FILLED) & ~right & ~wrong
    return right.astype(float), KNOWN * (right | wrong) + COMMENT * comment


def site_of(url):
    """The name of a site, without what comes before and behind it: pages of one are alike."""
    parts = [part for part in urllib.parse.urlsplit(url).netloc.lower().split(".") if part]
    behind = 2 if len(parts) > 2 and parts[-2] in SHARED else 1
    return parts[-1 - behind] if len(parts) > behind else "".join(parts)


def choose(likely, blocks, is_story):
    """The blocks that BlockChoice keeps."""
    beta, least_likely = (STORY_BETA, STORY_LEAST) if is_story else (1, 0)
    likely = likely.copy()
    firsts = {}
    first = [firsts.setdefault(tuple(block), i) for i, block in enumerate(blocks)]

    def copies(left, right):
        return left >= 0 and right < len(first) and first[left] < left \
            and first[right] == first[left] + 1

    for i, block in enumerate(blocks):
        if first[i] < i and len(block) >= 4 and (
                len(block) >= 8 or copies(i - 1, i) or copies(i, i + 1)):
            likely[i] = 0
    counts = numpy.array([len(block) for block in blocks])
    order = numpy.argsort(-likely, kind="stable")
    right = numpy.cumsum(likely[order] * counts[order])
    kept = numpy.cumsum(counts[order])
    score = right / (kept + beta ** 2 * right[-1] + 1e-9)
    least = likely[order[int(numpy.argmax(score))]]
    if likely.max() >= least_likely:
        least = max(least, least_likely)
    return (likely >= least) & (likely > 0)


def count_segments(texts, known):
    """The pieces that are found and should be, that should not be, and that are missed."""
    text = squeezed("".join(texts))
    found = sum(squeezed(piece) in text for piece in known["with"])
    return found, sum(squeezed(piece) in text for piece in known["without"]), \
        len(known["with"]) - found


def shingles(text):
    """The runs of four words of a text."""
    some = WORD.findall(text)
    return collections.Counter(
        tuple(some[i:i + 4]) for i in range(max(1, len(some) - 3)) if some)


def shingle_shares(text, content):
    """Precision and recall of a text's runs of words; None where the text has none."""
    have, want = shingles(text), shingles(content)
    both = sum((have & want).values())
    return both / sum(have.values()) if have else None, both / sum(want.values())


def f1(kept, content):
    a, b = collections.Counter(words(content)), collections.Counter(kept)
    both, have, want = sum((a & b).values()), sum(b.values()), sum(a.values())
    return 2 * both / (have + want) if have + want else 1.0


class Page(typing.NamedTuple):
    """A page with what is known of it: the text of its content, or pieces of it."""
    kind: str
    site: str
    texts: list
    blocks: list
    features: list
    label: numpy.ndarray
    weight: numpy.ndarray
    content: str | None = None
    known: dict | None = None


def read_page(row, truth, articles, segments, stories):
    folder, name = os.path.split(row["path"])
    texts = row["texts"]
    blocks = [words(text) for text in texts]
    if os.path.basename(folder) == "segments-dev":
        url, known = segments[name]
        # The name of a file begins with its site's where its address is not told.
        site = site_of(url) or re.split("[.-]", name.lower().removeprefix("www."))[0]
        return Page(SEGMENTS, site, texts, blocks, row["page"], *segment_labels(texts, known),
                    known=known)
    if name == "source.html":
        name = os.path.basename(folder)
        kind, site = ARTICLES, re.sub("-[0-9]+$", "", name)
        content = expected(os.path.join(articles, name))
    elif os.path.basename(folder) == "shingles-dev":
        page = stories[name.removesuffix(".html")]
        kind, site, content = SHINGLES, site_of(page["url"]), page["articleBody"]
    else:
        page = truth[name.removesuffix(".html")]
        kind, site = page["page_type"], site_of(page["url"] or "") or name
        content = page["main_content"] or ""
    label, counts, length = labels(blocks, content)
    # Each page counts about the same, each block by its words.
    weight = numpy.minimum(1, counts / max(30, length)) + 0.002
    # The truth of SHINGLES holds no headline and no caption, and those of the other sets do: these
    # pages tell stories apart, and no blocks.
    weight *= {ARTICLES: ARTICLE, SHINGLES: 0}.get(kind, 1)
    return Page(kind, site, texts, blocks, row["page"], label, weight, content=content)


def report(pages, kept):
    """Prints how good the choice is, of the pages whose content is known, and of the others."""
    scores, counts, shares = collections.defaultdict(list), [], []
    for page, keeps in zip(pages, kept):
        if page.known is not None:
            counts.append(count_segments([t for t, kept in zip(page.texts, keeps) if kept],
                                         page.known))
        elif page.kind == SHINGLES:
            text = "\n".join(t for t, kept in zip(page.texts, keeps) if kept)
            shares.append(shingle_shares(text, page.content))
        else:
            text = [word for block, kept in zip(page.blocks, keeps) if kept for word in block]
            scores[page.kind].append(f1(text, page.content))
    every = [score for kind in KINDS for score in scores[kind]]
    print("unseen sites: word F1 %.3f" % numpy.mean(every),
          " ".join("%s %.3f" % (kind, numpy.mean(each)) for kind, each in sorted(scores.items())))
    right, wrong, missed = map(sum, zip(*counts))
    print("unseen sites: pieces F1 %.3f precision %.3f recall %.3f" % (
        2 * right / (2 * right + wrong + missed), right / (right + wrong),
        right / (right + missed)))
    precision = numpy.mean([share for share, _ in shares if share is not None])
    recall = numpy.mean([share for _, share in shares])
    print("unseen sites: shingles F1 %.3f precision %.3f recall %.3f" % (
        2 * precision * recall / (precision + recall), precision, recall))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ("truth", "articles", "segments", "shingles", "blocks", "features"):
        parser.add_argument("--" + name, required=True)
    parser.add_argument("model")
    options = parser.parse_args()
    with gzip.open(options.truth, "rt", encoding="utf-8") as file:
        truth = json.load(file)
    with gzip.open(options.segments, "rt", encoding="utf-8") as file:
        segments = {known["file"]: (url, known) for url, known in json.load(file).items()}
    with gzip.open(options.shingles, "rt", encoding="utf-8") as file:
        stories = json.load(file)
    pages, columns = [], 0
    with open(options.blocks, encoding="utf-8") as file:
        for line in file:
            row = json.loads(line)
            columns = max(columns, row["columns"])
            pages.append(read_page(row, truth, options.articles, segments, stories))
    x = numpy.fromfile(options.features, dtype=numpy.float32).reshape(-1, columns)
    y = numpy.concatenate([page.label for page in pages])
    weight = numpy.concatenate([page.weight for page in pages])
    starts = numpy.cumsum([0] + [len(page.blocks) for page in pages])
    owner = numpy.repeat(numpy.arange(len(pages)), numpy.diff(starts))
    # The weight of a usual block is 1.
    usual = numpy.array([page.kind not in (SEGMENTS, SHINGLES) for page in pages])
    weight /= weight[usual[owner]].mean()
    # All pages of a site are in one fold.
    sites = sorted({page.site for page in pages})
    folds = dict(zip(sites, numpy.random.RandomState(1).permutation(len(sites)) % FOLDS))
    fold = numpy.array([folds[page.site] for page in pages])
    px = numpy.array([page.features for page in pages], dtype=numpy.float32)
    py = numpy.array([KINDS.index(page.kind) if page.kind in KINDS else -1 for page in pages])
    # The articles of a folder of their own hold pages of other kinds.
    told = numpy.array([page.kind != ARTICLES for page in pages])
    tells = numpy.array([page.kind in (KINDS[0], SEGMENTS, SHINGLES) for page in pages])
    tell_weight = numpy.array([STORY_SEGMENTS if page.kind == SEGMENTS else 1 for page in pages])

    def train(rows):
        rows = rows & (weight > 0)
        data = lightgbm.Dataset(x[rows], y[rows], weight=weight[rows])
        return lightgbm.train(BLOCKS, data, num_boost_round=BLOCK_TREES)

    def train_kinds(rows):
        rows = rows & (py >= 0)
        return lightgbm.train(PAGES, lightgbm.Dataset(px[rows], py[rows]),
                              num_boost_round=PAGE_ROUNDS)

    def train_stories(rows):
        rows = rows & told
        return lightgbm.train(
            STORIES, lightgbm.Dataset(px[rows], tells[rows], weight=tell_weight[rows]),
            num_boost_round=STORY_ROUNDS)

    kept, right = [[] for _ in pages], 0
    for k in range(FOLDS):
        model = train(fold[owner] != k)
        kinds = train_kinds(fold != k).predict(px[fold == k]).argmax(1)
        right += int((kinds == py[fold == k]).sum())
        is_story = train_stories(fold != k).predict(px) > STORY
        for p in numpy.where(fold == k)[0]:
            if pages[p].blocks:
                likely = model.predict(x[starts[p]:starts[p + 1]])
                kept[p] = choose(likely, pages[p].blocks, is_story[p])
    report(pages, kept)
    print("unseen sites: kind right %d of %d" % (right, (py >= 0).sum()))

    with open(options.model, "w", encoding="ascii") as file:
        file.write("// Made by scripts/train; not to be edited.\n"
                   '#include "content_model.h"\n\n')
        count = write(file, "blocks", list(trees(train(numpy.ones(len(y), bool)))), columns)
        file.write("\n")
        count += write(
            file, "pages", list(trees(train_kinds(numpy.ones(len(pages), bool)))), px.shape[1])
        file.write("\n")
        count += write(
            file, "stories", list(trees(train_stories(numpy.ones(len(pages), bool)))),
            px.shape[1])
    print("%d splits" % count)


if __name__ == "__main__":
    main()
