#ifndef AGENTPIPES_TERMINAL_H
#define AGENTPIPES_TERMINAL_H

// Gives a terminal back when the process ends, by whatever but SIGKILL. It is C because a handler
// of signals may call next to nothing: Swift allocates, and takes locks, where one does not see it.
// No header of the system is named here: its types would become this module's.

// Remembers how a terminal is, until terminal_give_back: a crash (SIGSEGV, SIGABRT and the like)
// gives it back first. There is one terminal at a time. Returns 0, or the errno of what failed.
int terminal_remember(int descriptor);

// Says what has to be written to give it back; of more than 4096 bytes the rest is left out.
void terminal_set_undoing(const void *bytes, unsigned long count);

// write(2) to the terminal; fails with EIO once it was given back at once.
long terminal_write(int descriptor, const void *bytes, unsigned long count);

// Gives it back: writes what undoes, then sets its modes as they were. Safe in a handler of
// signals, and beside another such call. At once, it waits neither for keys nor for a terminal
// that takes nothing: what it does not take is lost, its modes (termios(3)) are set all the same.
void terminal_give_back(int at_once);

#endif
