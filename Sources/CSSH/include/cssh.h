#ifndef AGENTPIPES_CSSH_H
#define AGENTPIPES_CSSH_H

#include <stdbool.h>

#include <libssh/libssh.h>
#include <libssh/callbacks.h>
// ssh_send_keepalive stands with the calls for servers.
#include <libssh/server.h>

// The first version with strict key exchange (CVE-2023-48795).
#if LIBSSH_VERSION_INT < SSH_VERSION_INT(0, 10, 6)
#error "agentpipes needs libssh 0.10.6 or later"
#endif

// ssh_options_set takes its value as `void *` to a type that the option names. Each function below fixes
// one type.

static inline int cssh_set_string(ssh_session session, enum ssh_options_e option,
                                  const char *value) {
  return ssh_options_set(session, option, value);
}

static inline int cssh_set_int(ssh_session session, enum ssh_options_e option, int value) {
  return ssh_options_set(session, option, &value);
}

static inline int cssh_set_uint(ssh_session session, enum ssh_options_e option,
                                unsigned int value) {
  return ssh_options_set(session, option, &value);
}

static inline int cssh_set_long(ssh_session session, enum ssh_options_e option, long value) {
  return ssh_options_set(session, option, &value);
}

static inline int cssh_set_bool(ssh_session session, enum ssh_options_e option, bool value) {
  return ssh_options_set(session, option, &value);
}

#endif
