"""Writes boosted trees as tables of C, ordered by column, as Sources/CContentModel reads them."""

import sys

# What stands for a column in a leaf, and how many leaves the model has room for in a tree.
LEAF = 0xFFFF
LEAVES = 16


def trees(model):
    """The trees of a model as lists of (feature, right, value)."""
    def walk(node, out):
        if "leaf_value" in node:
            out.append((LEAF, 0, node["leaf_value"]))
            return
        at = len(out)
        out.append(None)
        walk(node["left_child"], out)
        out[at] = (node["split_feature"], len(out) - at, node["threshold"])
        walk(node["right_child"], out)
    for tree in model.dump_model()["tree_info"]:
        out = []
        walk(tree["tree_structure"], out)
        yield out


def splits(tree, number):
    """The splits of a tree as (column, value, tree, kept leaves), and the values of its leaves."""
    found, leaves = [], []

    def walk(at):
        feature, right, value = tree[at]
        if feature == LEAF:
            leaves.append(value)
            return
        first = len(leaves)
        walk(at + 1)
        left = (1 << len(leaves)) - (1 << first)
        found.append((feature, value, number, 0xFFFF & ~left))
        walk(at + right)

    walk(0)
    if len(leaves) > LEAVES:
        sys.exit(f"a tree has {len(leaves)} leaves, and room is for {LEAVES}")
    return found, leaves + [0] * (LEAVES - len(leaves))


def rows(values, width, form):
    return "".join(
        " " + "".join(f" {form(value)}," for value in values[i:i + width]) + "\n"
        for i in range(0, len(values), width))


def write(file, name, all_trees, columns):
    found, leaves = [], []
    for number, tree in enumerate(all_trees):
        some, values = splits(tree, number)
        found += some
        leaves += values
    if len(found) > 0xFFFF:
        sys.exit(f"the model has {len(found)} splits, and room is for {0xFFFF}")
    found.sort(key=lambda split: split[:3])
    starts = [sum(split[0] < column for split in found) for column in range(columns + 1)]
    file.write(f"static const struct content_split {name}_splits[] = {{\n")
    file.write(rows(found, 5, lambda split: f"{{{split[1]:.4g},{split[2]},{split[3]}}}"))
    file.write("};\n\n" + f"static const uint16_t {name}_columns[] = {{\n")
    file.write(rows(starts, 14, str))
    file.write("};\n\n" + f"static const float {name}_leaves[] = {{\n")
    file.write(rows(leaves, 8, lambda value: f"{value:.4g}"))
    file.write("};\n\n" + f"const struct content_ensemble content_{name} = {{\n"
               f"    {name}_splits, {name}_columns, {name}_leaves, {len(all_trees)}, "
               f"{columns}}};\n")
    return len(found)
