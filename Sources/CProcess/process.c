#define _GNU_SOURCE

#include "process.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

#ifdef __linux__
#include <sys/prctl.h>
#endif

extern char **environ;

int process_adopt_orphans(void) {
#ifdef __linux__
  return prctl(PR_SET_CHILD_SUBREAPER, 1L, 0L, 0L, 0L) == 0 ? 0 : errno;
#else
  return 0;
#endif
}

int process_open_terminal(int *controller, int *terminal) {
  int ours = posix_openpt(O_RDWR | O_NOCTTY);
  if (ours < 0) return errno;
  int theirs = -1;
  const char *name;
  if (grantpt(ours) == 0 && unlockpt(ours) == 0 && (name = ptsname(ours)) != NULL)
    theirs = open(name, O_RDWR | O_NOCTTY | O_CLOEXEC);
  if (theirs < 0 || fcntl(ours, F_SETFD, FD_CLOEXEC) != 0) {
    int code = errno;
    if (theirs >= 0) close(theirs);
    close(ours);
    return code;
  }
  *controller = ours;
  *terminal = theirs;
  return 0;
}

int process_add_foreground(void *actions, int terminal) {
#ifdef __GLIBC__
  return posix_spawn_file_actions_addtcsetpgrp_np(actions, terminal);
#else
  (void)actions;
  (void)terminal;
  return ENOSYS;
#endif
}

int process_add_close_from(void *actions, int first) {
#ifdef __GLIBC__
  return posix_spawn_file_actions_addclosefrom_np(actions, first);
#else
  (void)actions;
  (void)first;
  return 0;
#endif
}

void process_use_main_priority(void) {
#ifdef __linux__
  // What a system does not allow is left as it is.
  setpriority(PRIO_PROCESS, 0, getpriority(PRIO_PROCESS, getpid()));
#endif
}

void process_leave_no_core(void) {
  struct rlimit none = {0, 0};
  // A limit can always be made smaller.
  setrlimit(RLIMIT_CORE, &none);
}

char *const *process_environment(void) { return environ; }
