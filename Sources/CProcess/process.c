#define _GNU_SOURCE

#include "process.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef __linux__
#include <sys/prctl.h>
#endif

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

// What runs between vfork(2) and exec(2) shares the parent's memory, and calls nothing that is not
// safe in a signal handler.
static int prepare(int output, int errors, int terminal, int guardian) {
  if (setpgid(0, 0) != 0) return errno;
  char text[16];
  char *start = text + sizeof text;
  *--start = '\n';
  for (pid_t rest = getpid(); rest > 0; rest /= 10) *--start = (char)('0' + rest % 10);
  // A guardian that somebody killed reads nothing; the command runs all the same.
  (void)!write(guardian, start, (size_t)(text + sizeof text - start));
  // SIGTTOU is blocked here. A terminal that went away is no reason not to run.
  if (terminal >= 0) (void)tcsetpgrp(terminal, getpid());
  return dup2(output, 1) < 0 || dup2(errors, 2) < 0 ? errno : 0;
}

int process_start(char *const *arguments, int output, int errors, int terminal, int guardian,
                  int *process) {
  sigset_t all, before, none;
  sigfillset(&all);
  sigemptyset(&none);
  pthread_sigmask(SIG_BLOCK, &all, &before);
  volatile int code = 0;
  pid_t child = vfork();
  if (child == 0) {
    code = prepare(output, errors, terminal, guardian);
    if (code != 0) _exit(127);
    signal(SIGPIPE, SIG_DFL);
    signal(SIGXFSZ, SIG_DFL);
    sigprocmask(SIG_SETMASK, &none, NULL);
    execvp(arguments[0], arguments);
    code = errno;
    _exit(127);
  }
  if (child < 0) code = errno;
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  if (child > 0 && code != 0)
    while (waitpid(child, NULL, 0) < 0 && errno == EINTR) {
    }
  *process = child;
  return code;
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

void process_use_pipe_size(int descriptor, int size) {
#ifdef F_SETPIPE_SZ
  // One that the system does not allow is left as it is.
  (void)fcntl(descriptor, F_SETPIPE_SZ, size);
#else
  (void)descriptor;
  (void)size;
#endif
}

void process_use_low_priority(void) {
#ifdef __linux__
  // On Linux a thread has a priority of its own; one that is lower already stays so.
  int present = getpriority(PRIO_PROCESS, 0);
  setpriority(PRIO_PROCESS, 0, present < 10 ? present + 5 : present);
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
