#ifndef CONTENT_MODEL_H
#define CONTENT_MODEL_H

#include <stdint.h>

// Decision trees, each in the order of a walk from its root: what a node's left branch begins with
// follows the node.
struct content_node {
  // The column that is compared, or CONTENT_LEAF.
  uint16_t feature;
  // How many nodes further on the right branch begins: it is taken when the column is greater
  // than the value, the left one otherwise.
  uint16_t right;
  // What is compared with, or what the leaf adds to the sum.
  float value;
};

enum { CONTENT_LEAF = 0xFFFF };

struct content_ensemble {
  const struct content_node *nodes;
  // Where each tree begins.
  const uint32_t *trees;
  uint32_t count;
  // How many columns a row has, and which of them, one after the other, the trees look at.
  uint32_t columns;
};

// Whether a block of text is content: the log of the odds.
extern const struct content_ensemble content_blocks;

// What kind of page it is: tree after tree the weight of each of the kinds in turn.
extern const struct content_ensemble content_pages;

#endif
