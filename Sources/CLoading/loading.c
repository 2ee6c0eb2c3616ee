#include "loading.h"

#include <dlfcn.h>
#include <stdlib.h>

#ifdef __APPLE__
static const char *const files[] = {"libcrypto.3.dylib",    "/usr/lib/libcurl.4.dylib",
                                    "libpq.5.dylib",        "libqrencode.4.dylib",
                                    "libssh.4.dylib",       "/usr/lib/libxml2.2.dylib"};
#else
static const char *const files[] = {"libcrypto.so.3",   "libcurl.so.4", "libpq.so.5",
                                    "libqrencode.so.4", "libssh.so.4",  "libxml2.so.2"};
#endif

void *loading_open(enum loading_library library) {
  // A page or a URL asks each time, and a search of the loaded libraries takes a lock.
  static void *opened[sizeof files / sizeof *files];
  void *found = __atomic_load_n(&opened[library], __ATOMIC_ACQUIRE);
  if (found == NULL) {
    found = dlopen(files[library], RTLD_LAZY | RTLD_LOCAL);
    __atomic_store_n(&opened[library], found, __ATOMIC_RELEASE);
  }
  return found;
}

void *loading_function(enum loading_library library, const char *name, void **known) {
  void *found = __atomic_load_n(known, __ATOMIC_RELAXED);
  if (found == NULL) {
    void *opened = loading_open(library);
    found = opened == NULL ? NULL : dlsym(opened, name);
    if (found == NULL) abort();
    __atomic_store_n(known, found, __ATOMIC_RELAXED);
  }
  return found;
}
