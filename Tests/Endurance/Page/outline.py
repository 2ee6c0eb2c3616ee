"""What a view has for people who do not see it, and whether its controls can be read and pressed."""
import re

LANDMARKS = {"banner", "navigation", "main", "contentinfo", "complementary", "form", "search", "region"}
CONTROLS = {"link", "button", "textbox", "checkbox", "combobox", "searchbox"}
OTHERS = {"heading", "table", "list", "alert", "status"}

# Columns that are there while the last events are recent.
FLEETING = {"per s", "events"}

# Names that differ from run to run.
CHANGING = [
    (r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}", "ID"),
    (r"\b\d+ (s|min|h|d) ago\b", "AGO"),
    (r"\b\d\d:\d\d:\d\d\b", "TIME"),
]


def outline(tab, roles=LANDMARKS | CONTROLS | OTHERS):
    """Returns a line for each landmark, heading, table, list and control, in order, below its landmark."""
    nodes = tab.send("Accessibility.getFullAXTree")["nodes"]
    by_id = {node["nodeId"]: node for node in nodes}
    lines = []

    def columns(node):
        if _role(node) == "columnheader":
            return [] if _name(node) in FLEETING else [f" '{_name(node)}'"]
        return [column for child in node.get("childIds", []) if child in by_id for column in columns(by_id[child])]

    def add(node, depth):
        role = _role(node)
        # A list without a name is one of layout.
        is_shown = role in roles and (role != "list" or _name(node) != "")
        if is_shown:
            lines.append("  " * depth + _line(node, role) + ("".join(columns(node)) if role == "table" else ""))
        for child in node.get("childIds", []):
            if child in by_id:
                add(by_id[child], depth + (is_shown and role in LANDMARKS))

    add(nodes[0], 0)
    return lines


def _role(node):
    return None if node.get("ignored") else node.get("role", {}).get("value")


def _name(node):
    name = node.get("name", {}).get("value", "")
    for pattern, mark in CHANGING:
        name = re.sub(pattern, mark, name)
    return name


def _line(node, role):
    name = _name(node)
    properties = {each["name"]: each["value"].get("value") for each in node.get("properties", [])}
    level = f" {properties['level']}" if role == "heading" else ""
    states = "".join(f" {state}" for state in ("required", "disabled", "multiline") if properties.get(state))
    return f"{role}{level}" + (f" '{name}'" if name else "") + states


# Lists controls whose text is cut, that lie outside of the document, or of which one covers another.
CONTROL_FAULTS = """(() => {
  const faults = [], width = document.documentElement.clientWidth;
  const controls = [...document.querySelectorAll('a, button, input, textarea')].filter((one) =>
    one.type !== 'hidden' && !one.hidden && !one.classList.contains('skip') && one.getClientRects().length);
  const named = (one) => `${one.localName} '${(one.textContent || one.name).slice(0, 40)}'`;
  for (const one of controls) {
    if (one.clientWidth && (one.scrollWidth > one.clientWidth || one.scrollHeight > one.clientHeight)) faults.push(`${named(one)} is cut`);
    for (const box of one.getClientRects()) {
      if (box.left < 0 || (box.right > width + 0.5 && !one.closest('.table, pre'))) faults.push(`${named(one)} is outside`);
    }
  }
  const boxes = controls.flatMap((one) => [...one.getClientRects()].map((box) => ({one, box})));
  boxes.forEach((first, index) => {
    for (const second of boxes.slice(index + 1)) {
      if (first.one === second.one) continue;
      const wide = Math.min(first.box.right, second.box.right) - Math.max(first.box.left, second.box.left);
      const high = Math.min(first.box.bottom, second.box.bottom) - Math.max(first.box.top, second.box.top);
      if (wide > 1 && high > 1) faults.push(`${named(first.one)} covers ${named(second.one)}`);
    }
  });
  const wide = document.documentElement.scrollWidth;
  if (wide > innerWidth) faults.push(`the document is ${wide} wide at ${innerWidth}`);
  return faults;
})()"""
