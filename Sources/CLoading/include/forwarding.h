#ifndef AGENTPIPES_FORWARDING_H
#define AGENTPIPES_FORWARDING_H

// Defines functions of a loaded library, each of which calls the original. The including file names
// the library in LIBRARY. Their visibility is hidden: other libraries must go on to find the
// originals by these names.

#include "loading.h"

#define FUNCTION(name)                                                                             \
  static void *known;                                                                              \
  __typeof__(&name) call = (__typeof__(&name))loading_function(LIBRARY, #name, &known)

#define FORWARD(result, name, parameters, ...)                                                     \
  result name parameters {                                                                         \
    FUNCTION(name);                                                                                \
    return call(__VA_ARGS__);                                                                      \
  }

#define FORWARD_VOID(name, parameters, ...)                                                        \
  void name parameters {                                                                           \
    FUNCTION(name);                                                                                \
    call(__VA_ARGS__);                                                                             \
  }

#endif
