#ifndef AGENTPIPES_LOADING_H
#define AGENTPIPES_LOADING_H

// The libraries of the system that are loaded when one of their functions is first called. A tool
// that does not need a library neither loads nor misses it.
enum loading_library {
  LOADING_CRYPTO,
  LOADING_CURL,
  LOADING_PQ,
  LOADING_QRENCODE,
  LOADING_SSH,
  LOADING_XML
};

// Returns the library as dlopen(3) does: NULL if it is missing.
void *loading_open(enum loading_library library);

// Returns the function of the library (dlsym(3)), and remembers it in `known`. Ends the process if
// there is none: the caller has seen that the library can be loaded.
void *loading_function(enum loading_library library, const char *name, void **known);

#endif
