#define _GNU_SOURCE

#include "terminal.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

static atomic_int remembered = -1;
static struct termios modes;

// The text that is not in use is written, then taken into use: a handler sees one or the other.
static struct {
  char bytes[4096];
  unsigned long count;
} texts[2];
static atomic_int current;

static const int crashes[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGABRT, SIGSYS};
enum { crash_count = sizeof crashes / sizeof crashes[0] };
static struct sigaction before[crash_count];

// Whether a thread writes now, which one, and whether none may begin to any more.
static atomic_int is_writing, is_over;
static pthread_t writer;

long terminal_write(int descriptor, const void *bytes, unsigned long count) {
  writer = pthread_self();
  atomic_store(&is_writing, 1);
  ssize_t written = -1;
  int code = EIO;
  if (!atomic_load(&is_over)) {
    written = write(descriptor, bytes, count);
    code = errno;
  }
  atomic_store(&is_writing, 0);
  errno = code;
  return written;
}

static void wake(int number) { (void)number; }

// A thread that waits in write(2) keeps all others from writing, though the terminal has room again
// (Linux, n_tty_write): a signal that nobody else uses gets it out of there. What it has written by
// then is thrown away. One that this very handler interrupted goes on after it alone.
static void take_over(int descriptor) {
  atomic_store(&is_over, 1);
  int flags = fcntl(descriptor, F_GETFL);
  if (flags >= 0) fcntl(descriptor, F_SETFL, flags | O_NONBLOCK);
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = wake;
  sigaction(SIGURG, &action, NULL);
  for (int tries = 0; tries < 100 && atomic_load(&is_writing); tries++) {
    if (pthread_equal(writer, pthread_self())) break;
    pthread_kill(writer, SIGURG);
    poll(NULL, 0, 2);
  }
  tcflush(descriptor, TCOFLUSH);
}

static void write_all(int descriptor, const char *bytes, unsigned long count, int at_once) {
  int tries = 0;
  while (count > 0) {
    ssize_t written = at_once ? write(descriptor, bytes, count)
                              : terminal_write(descriptor, bytes, count);
    if (written > 0) {
      bytes += written;
      count -= (unsigned long)written;
    } else if (written < 0 && errno == EAGAIN) {
      struct pollfd wanted = {descriptor, POLLOUT, 0};
      if (at_once && ++tries > 100) return;
      // That there is room does not say that one may write.
      poll(&wanted, at_once ? 0 : 1, at_once ? 2 : -1);
    } else if (written == 0 || errno != EINTR) {
      return;
    }
  }
}

void terminal_give_back(int at_once) {
  int descriptor = atomic_load(&remembered);
  if (descriptor < 0) return;
  int code = errno;
  // Who is in the background would be stopped for it, and never end.
  sigset_t stop, mask;
  sigemptyset(&stop);
  sigaddset(&stop, SIGTTOU);
  pthread_sigmask(SIG_BLOCK, &stop, &mask);
  if (at_once) take_over(descriptor);
  int index = atomic_load(&current);
  write_all(descriptor, texts[index].bytes, texts[index].count, at_once);
  // Of a terminal that somebody else has now, the modes are that one's.
  if (tcgetpgrp(descriptor) == getpgrp())
    while (tcsetattr(descriptor, at_once ? TCSANOW : TCSADRAIN, &modes) != 0 && errno == EINTR) {
    }
  atomic_store(&remembered, -1);
  pthread_sigmask(SIG_SETMASK, &mask, NULL);
  errno = code;
}

// What was to happen without us happens after it: the handler before, or the end.
static void crashed(int number) {
  terminal_give_back(1);
  for (int index = 0; index < crash_count; index++)
    if (crashes[index] == number) sigaction(number, &before[index], NULL);
  raise(number);
}

static void watch_crashes(void) {
  static atomic_flag is_done = ATOMIC_FLAG_INIT;
  if (atomic_flag_test_and_set(&is_done)) return;
  // A thread that has used up its stack has none for a handler, unless it has another.
  static char stack[1 << 16];
  stack_t other = {.ss_sp = stack, .ss_size = sizeof stack}, given;
  if (sigaltstack(NULL, &given) == 0 && (given.ss_flags & SS_DISABLE)) sigaltstack(&other, NULL);
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = crashed;
  action.sa_flags = SA_ONSTACK;
  sigfillset(&action.sa_mask);
  for (int index = 0; index < crash_count; index++)
    if (sigaction(crashes[index], NULL, &before[index]) == 0 && before[index].sa_handler != SIG_IGN)
      sigaction(crashes[index], &action, NULL);
}

int terminal_remember(int descriptor) {
  if (tcgetattr(descriptor, &modes) != 0) return errno;
  int flags = fcntl(descriptor, F_GETFL);
  if (flags >= 0) fcntl(descriptor, F_SETFL, flags & ~O_NONBLOCK);
  watch_crashes();
  atomic_store(&is_over, 0);
  atomic_store(&remembered, descriptor);
  return 0;
}

void terminal_set_undoing(const void *bytes, unsigned long count) {
  if (count > sizeof texts[0].bytes) count = sizeof texts[0].bytes;
  int index = !atomic_load(&current);
  memcpy(texts[index].bytes, bytes, count);
  texts[index].count = count;
  atomic_store(&current, index);
}
