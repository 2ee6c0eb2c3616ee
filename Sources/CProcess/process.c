#define _GNU_SOURCE

#include "process.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef __linux__
#include <malloc.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#else
extern char **environ;
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

// Makes a descriptor the stream of that number. One that stands where a stream goes was moved away
// before, so that none is lost.
static int place(int descriptor, int stream) {
  return descriptor < 0 || dup2(descriptor, stream) >= 0 ? 0 : errno;
}

static int out_of_the_way(int descriptor) {
  return descriptor < 0 || descriptor > 2 ? descriptor : fcntl(descriptor, F_DUPFD_CLOEXEC, 3);
}

static void close_others(void) {
#ifdef __GLIBC__
  closefrom(3);
#else
  // What is meant to stay ours is marked to be closed on exec.
#endif
}

// Tells a guardian of a program, in one write, so that lines of several threads do not mix.
static void tell(int guardian, int has_ended, pid_t process) {
  static const char ended[] = "ended ";
  char text[32];
  char *start = text + sizeof text;
  *--start = '\n';
  for (pid_t rest = process; rest > 0; rest /= 10) *--start = (char)('0' + rest % 10);
  for (size_t left = has_ended ? sizeof ended - 1 : 0; left > 0; left--) *--start = ended[left - 1];
  // A guardian that somebody killed reads nothing; the program runs all the same.
  if (guardian >= 0) (void)!write(guardian, start, (size_t)(text + sizeof text - start));
}

// What runs between vfork(2) and exec(2) shares the parent's memory, and calls nothing that is not
// safe in a signal handler.
static int prepare(const struct process_plan *plan) {
  if (plan->has_own_group && setpgid(0, 0) != 0) return errno;
  if (plan->folder != NULL && chdir(plan->folder) != 0) return errno;
  tell(plan->guardian, 0, getpid());
  // SIGTTOU is blocked here. A terminal that went away is no reason not to run.
  if (plan->terminal >= 0) (void)tcsetpgrp(plan->terminal, getpid());
  int input = out_of_the_way(plan->input), output = out_of_the_way(plan->output),
      errors = out_of_the_way(plan->errors), code;
  if ((code = place(input, 0)) != 0 || (code = place(output, 1)) != 0 ||
      (code = place(errors, 2)) != 0)
    return code;
  if (plan->closes_others) close_others();
  return 0;
}

static void use_default_signals(int all) {
  signal(SIGPIPE, SIG_DFL);
  signal(SIGXFSZ, SIG_DFL);
  // Some cannot be set; those are as they should be.
  for (int number = 1; all && number < NSIG; number++) signal(number, SIG_DFL);
}

static void run(const struct process_plan *plan) {
  if (plan->environment == NULL) {
    execvp(plan->arguments[0], plan->arguments);
    return;
  }
#ifdef __linux__
  execvpe(plan->arguments[0], plan->arguments, plan->environment);
#else
  // Here vfork(2) copies.
  environ = (char **)plan->environment;
  execvp(plan->arguments[0], plan->arguments);
#endif
}

int process_start(const struct process_plan *plan, int *process) {
  sigset_t all, before, blocked;
  sigfillset(&all);
  sigemptyset(&blocked);
  if (plan->sets_terminal) sigaddset(&blocked, SIGTTOU);
  pthread_sigmask(SIG_BLOCK, &all, &before);
  volatile int code = 0;
  pid_t child = vfork();
  if (child == 0) {
    code = prepare(plan);
    if (code != 0) _exit(127);
    use_default_signals(plan->resets_signals);
    sigprocmask(SIG_SETMASK, &blocked, NULL);
    run(plan);
    code = errno;
    _exit(127);
  }
  if (child < 0) code = errno;
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  if (child > 0 && code != 0) {
    // Nobody else gets the id before it is waited for.
    tell(plan->guardian, 1, child);
    while (waitpid(child, NULL, 0) < 0 && errno == EINTR) {
    }
  }
  *process = child;
  return code;
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

void process_return_large_blocks(void) {
#ifdef __GLIBC__
  // A fixed threshold: by default glibc raises it to the largest block that was freed, up to 32 MiB.
  mallopt(M_MMAP_THRESHOLD, 256 * 1024);
  mallopt(M_TRIM_THRESHOLD, 1024 * 1024);
  mallopt(M_ARENA_MAX, 2);
#endif
}

void process_return_free_memory(void) {
#ifdef __GLIBC__
  static size_t known = 0;
  const size_t much = 16 * 1024 * 1024;
  size_t available = mallinfo2().fordblks;
  if (available < known) known = available;
  if (available - known < much) return;
  malloc_trim(0);
  known = available;
#endif
}

int process_open_other(int process, int *handle) {
#ifdef SYS_pidfd_open
  // The C library has had a function for it only since glibc 2.36.
  long opened = syscall(SYS_pidfd_open, process, 0);
  if (opened < 0) return errno;
  *handle = (int)opened;
  return 0;
#else
  (void)process;
  (void)handle;
  return ENOSYS;
#endif
}

int process_signal_other(int handle, int number) {
#ifdef SYS_pidfd_send_signal
  return syscall(SYS_pidfd_send_signal, handle, number, (void *)0, 0) == 0 ? 0 : errno;
#else
  (void)handle;
  (void)number;
  return ENOSYS;
#endif
}
