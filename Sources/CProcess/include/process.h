#ifndef AGENTPIPES_PROCESS_H
#define AGENTPIPES_PROCESS_H

// What Swift's view of the C library leaves out: variadic functions, and those of GNU sources.
// Each returns 0, or the errno of what failed. No header of the system is named here: its types
// would become this module's. `actions` is a posix_spawn_file_actions_t.

// Makes orphans among this process's descendants its children (prctl(2)). Where the system has no
// such thing, nothing is done.
int process_adopt_orphans(void);

// Opens a pseudo-terminal; both ends are closed on exec, neither becomes a controlling terminal.
int process_open_terminal(int *controller, int *terminal);

// Starts a command in a process group of its own, with the caller's standard input and environment,
// no blocked signals, and the default for SIGPIPE and SIGXFSZ.
//
// Before the command runs, its process writes its id and a line feed to `guardian`, so that no moment
// is left in which nobody knows of it, and takes the terminal, unless that is -1. posix_spawn(3) can
// do the latter alone.
int process_start(char *const *arguments, int output, int errors, int terminal, int guardian,
                  int *process);

// Lets a process that is started close every descriptor from one on.
int process_add_close_from(void *actions, int first);

// Lets a pipe take so many bytes that nobody has read yet, where the system allows that.
void process_use_pipe_size(int descriptor, int size);

// Lets the calling thread work when others do not; elsewhere than on Linux it is as before.
void process_use_low_priority(void);

// Gives the calling thread the priority of the main thread; elsewhere than on Linux they have one.
void process_use_main_priority(void);

// Lets this process die without a core.
void process_leave_no_core(void);

#endif
