#ifndef CONTENT_MODEL_H
#define CONTENT_MODEL_H

#include <stdint.h>

// Decision trees, taken apart into their splits as Lucchese et al. do it ("QuickScorer: a fast
// algorithm to rank documents with additive ensembles of regression trees", SIGIR 2015). The
// leaves of a tree are counted from the left, one bit each.
struct content_split {
  // A row whose column is greater goes right, the others left.
  float value;
  uint16_t tree;
  // The leaves that a row which goes right can still reach: all but those on the left.
  uint16_t kept;
};

enum { CONTENT_LEAVES = 16 };

struct content_ensemble {
  // The splits of one column after the other, those of a column from the least value on.
  const struct content_split *splits;
  // Where the splits of each column begin, and where the last ones end.
  const uint16_t *columns;
  // What each leaf adds to the sum, CONTENT_LEAVES a tree.
  const float *leaves;
  uint32_t count;
  // How many columns a row has.
  uint32_t width;
};

// Whether a block of text is content: the log of the odds.
extern const struct content_ensemble content_blocks;

// What kind of page it is: tree after tree the weight of each of the kinds in turn.
extern const struct content_ensemble content_pages;

// Whether a page tells a story: the log of the odds.
extern const struct content_ensemble content_stories;

#endif
