"""What the wires of the model server share: the answer before it takes a shape, and the writing of events."""

from dataclasses import dataclass

from model_answers import compact, pieces, utf8

CREATED = 1770933892
NEUTRAL = ("inputTokens", "outputTokens", "cacheReadTokens", "cacheWriteTokens")
TAIL_PADDING = (0, 5, 1, 12, 0, 3, 8)


@dataclass
class Draft:
    """What an answer holds before it takes the shape of a wire. `stop` is Anthropic's word."""

    identity: str
    model: str
    text: str
    stop: str
    input: int
    output: int
    behaviour: dict
    include_usage: bool = True


class Writer:
    """Encodes events: the newline asked for, and the padding spaces real servers send."""

    def __init__(self, behaviour):
        self.newline = {"lf": "\n", "crlf": "\r\n", "cr": "\r"}[behaviour.get("newline", "lf")]
        self.multiline = behaviour.get("multiline", False)
        self.count = 0

    def event(self, name, value, pad=True):
        """One event; `value` is JSON data or, as a string, the data itself."""
        data = value if isinstance(value, str) else compact(value)
        if pad and data.endswith("}"):
            self.count += 1
            inner = TAIL_PADDING[self.count % 7]
            data = data[:-1] + " " * inner + "}" + " " * TAIL_PADDING[(self.count + 3) % 7]
        if self.multiline and data.startswith("{"):
            # A line feed between two data lines is white space to a JSON reader.
            data = "{" + self.newline + "data: " + data[1:]
        head = f"event: {name}{self.newline}" if name else ""
        return utf8(f"{head}data: {data}{self.newline}{self.newline}")

    def comment(self, text):
        return utf8(f": {text}{self.newline}{self.newline}")


def halves(draft):
    parts = pieces(draft.text, draft.behaviour.get("chunks", 8))
    middle = (len(parts) + 1) // 2
    return parts[:middle], parts[middle:]


def merged(usage, behaviour):
    """The usage with the behaviour's own fields over it, but for those with neutral names."""
    own = {key: value for key, value in behaviour.get("usage", {}).items() if key not in NEUTRAL}
    return usage | own


def counts(draft):
    """Plain input, output, cache read and cache write tokens."""
    given = draft.behaviour.get("usage", {})
    defaults = (draft.input, draft.output, 0, 0)
    return [given.get(name, default) for name, default in zip(NEUTRAL, defaults)]
