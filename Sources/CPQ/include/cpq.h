#ifndef AGENTPIPES_CPQ_H
#define AGENTPIPES_CPQ_H

// Debian installs the headers of libpq below this folder, other systems without it.
#if __has_include(<postgresql/libpq-fe.h>)
#include <postgresql/libpq-fe.h>
#else
#include <libpq-fe.h>
#endif

// The fields of a message are macros of characters, which Swift does not import.
static const int cpq_message = PG_DIAG_MESSAGE_PRIMARY;
static const int cpq_state = PG_DIAG_SQLSTATE;

#endif
