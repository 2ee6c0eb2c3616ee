/* Hides the files whose paths begin with TEST_HIDDEN from a program: for LD_PRELOAD, in tests alone. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int is_hidden(const char *path) {
  const char *hidden = getenv("TEST_HIDDEN");
  if (!hidden || strncmp(path, hidden, strlen(hidden)) != 0) return 0;
  errno = ENOENT;
  return 1;
}

FILE *fopen(const char *path, const char *mode) {
  static FILE *(*next)(const char *, const char *);
  if (is_hidden(path)) return NULL;
  if (!next) next = (FILE * (*)(const char *, const char *)) dlsym(RTLD_NEXT, "fopen");
  return next(path, mode);
}

int open(const char *path, int flags, ...) {
  static int (*next)(const char *, int, ...);
  if (is_hidden(path)) return -1;
  if (!next) next = (int (*)(const char *, int, ...))dlsym(RTLD_NEXT, "open");
  va_list rest;
  va_start(rest, flags);
  mode_t mode = va_arg(rest, mode_t);
  va_end(rest);
  return next(path, flags, mode);
}
