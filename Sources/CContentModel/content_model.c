#include "content_model.h"
const struct content_ensemble content_blocks = {0, 0, 0, 0};
const struct content_ensemble content_pages = {0, 0, 0, 0};
