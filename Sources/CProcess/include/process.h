#ifndef AGENTPIPES_PROCESS_H
#define AGENTPIPES_PROCESS_H

// What Swift's view of the C library leaves out: variadic functions, and those of GNU sources.
// Each returns 0, or the errno of what failed. No header of the system is named here: its types
// would become this module's.

// Makes orphans among this process's descendants its children (prctl(2)). Where the system has no
// such thing, nothing is done.
int process_adopt_orphans(void);

// Opens a pseudo-terminal; both ends are closed on exec, neither becomes a controlling terminal.
int process_open_terminal(int *controller, int *terminal);

// How a program is started. A descriptor that is -1 is left out.
struct process_plan {
  // The program, looked up in the caller's PATH, and its arguments, with a null at their end.
  char *const *arguments;
  // All of its environment, with a null at the end; null gives it the caller's.
  char *const *environment;
  // What becomes its standard streams; one that is left out is the caller's.
  int input, output, errors;
  // The terminal that its group gets before it runs.
  int terminal;
  // The folder that it runs in; null for the caller's.
  const char *folder;
  // Where the program's id and a line feed are written before it runs, so that no moment is left in
  // which nobody knows of it. If it does not run, "ended", the id and a line feed follow.
  int guardian;
  // Whether it gets a process group of its own.
  int has_own_group;
  // Whether it gets the default for all signals, not only for SIGPIPE and SIGXFSZ.
  int resets_signals;
  // Whether every descriptor from 3 on is closed, marked or not.
  int closes_others;
  // 1 if it may set the modes of a terminal that another group has: SIGTTOU is blocked.
  int sets_terminal;
};

// Starts a program, with no other blocked signals. posix_spawn(3) cannot tell a guardian, nor give the
// terminal away.
int process_start(const struct process_plan *plan, int *process);

// Lets a pipe take so many bytes that nobody has read yet, where the system allows that.
void process_use_pipe_size(int descriptor, int size);

// Lets the calling thread work when others do not; elsewhere than on Linux it is as before.
void process_use_low_priority(void);

// Gives the calling thread the priority of the main thread; elsewhere than on Linux they have one.
void process_use_main_priority(void);

// Lets this process die without a core.
void process_leave_no_core(void);

// Lets large blocks of memory go back to the system as soon as they are freed, and keeps no heap for
// each thread; elsewhere than on Linux it does nothing.
void process_return_large_blocks(void);

// Lets free memory between blocks that are in use go back to the system, if there is much of it that
// was not there at the last call; elsewhere than on Linux it does nothing. One thread may call it.
void process_return_free_memory(void);

// Opens a handle of another process, which stays this process even if its id is given to another one
// (pidfd_open(2)). Elsewhere than on Linux it fails with ENOSYS.
int process_open_other(int process, int *handle);

// Sends a signal to the process of such a handle (pidfd_send_signal(2)).
int process_signal_other(int handle, int number);

#endif
