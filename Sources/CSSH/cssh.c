// The functions of libssh that Remote calls.

#include "forwarding.h"

#pragma GCC visibility push(hidden)
// The header would otherwise export the functions again.
#define LIBSSH_STATIC 1
#include "include/cssh.h"

#define LIBRARY LOADING_SSH

FORWARD(int, ssh_channel_change_pty_size, (ssh_channel channel, int cols, int rows), channel, cols,
        rows)
FORWARD(int, ssh_channel_close, (ssh_channel channel), channel)
FORWARD_VOID(ssh_channel_free, (ssh_channel channel), channel)
FORWARD(int, ssh_channel_get_exit_status, (ssh_channel channel), channel)
FORWARD(int, ssh_channel_is_closed, (ssh_channel channel), channel)
FORWARD(int, ssh_channel_is_eof, (ssh_channel channel), channel)
FORWARD(ssh_channel, ssh_channel_new, (ssh_session session), session)
FORWARD(int, ssh_channel_open_forward, (ssh_channel channel, const char *remotehost, int remoteport,
        const char *sourcehost, int localport), channel, remotehost, remoteport, sourcehost,
        localport)
FORWARD(int, ssh_channel_open_session, (ssh_channel channel), channel)
FORWARD(int, ssh_channel_read_nonblocking, (ssh_channel channel, void *dest, uint32_t count,
        int is_stderr), channel, dest, count, is_stderr)
FORWARD(int, ssh_channel_request_exec, (ssh_channel channel, const char *cmd), channel, cmd)
FORWARD(int, ssh_channel_request_pty_size, (ssh_channel channel, const char *term, int cols,
        int rows), channel, term, cols, rows)
FORWARD(int, ssh_channel_send_eof, (ssh_channel channel), channel)
FORWARD(uint32_t, ssh_channel_window_size, (ssh_channel channel), channel)
FORWARD(int, ssh_channel_write, (ssh_channel channel, const void *data, uint32_t len), channel,
        data, len)
FORWARD(int, ssh_connect, (ssh_session session), session)
FORWARD(int, ssh_execute_message_callbacks, (ssh_session session), session)
FORWARD_VOID(ssh_free, (ssh_session session), session)
FORWARD(const char *, ssh_get_error, (void *error), error)
FORWARD(socket_t, ssh_get_fd, (ssh_session session), session)
FORWARD(int, ssh_get_poll_flags, (ssh_session session), session)
FORWARD(int, ssh_get_server_publickey, (ssh_session session, ssh_key *key), session, key)
FORWARD(const char *, ssh_get_serverbanner, (ssh_session session), session)
FORWARD(int, ssh_is_connected, (ssh_session session), session)
FORWARD_VOID(ssh_key_free, (ssh_key key), key)
FORWARD(enum ssh_keytypes_e, ssh_key_type, (const ssh_key key), key)
FORWARD(enum ssh_keytypes_e, ssh_key_type_from_name, (const char *name), name)
FORWARD(ssh_session, ssh_new, (void))
FORWARD(int, ssh_options_set, (ssh_session session, enum ssh_options_e type, const void *value),
        session, type, value)
FORWARD(int, ssh_pki_export_privkey_base64, (const ssh_key privkey, const char *passphrase,
        ssh_auth_callback auth_fn, void *auth_data, char **b64_key), privkey, passphrase, auth_fn,
        auth_data, b64_key)
FORWARD(int, ssh_pki_export_pubkey_base64, (const ssh_key key, char **b64_key), key, b64_key)
FORWARD(int, ssh_pki_import_privkey_base64, (const char *b64_key, const char *passphrase,
        ssh_auth_callback auth_fn, void *auth_data, ssh_key *pkey), b64_key, passphrase, auth_fn,
        auth_data, pkey)
FORWARD(int, ssh_pki_import_pubkey_base64, (const char *b64_key, enum ssh_keytypes_e type,
        ssh_key *pkey), b64_key, type, pkey)
FORWARD(int, ssh_send_keepalive, (ssh_session session), session)
FORWARD(int, ssh_set_agent_socket, (ssh_session session, socket_t fd), session, fd)
FORWARD_VOID(ssh_set_blocking, (ssh_session session, int blocking), session, blocking)
FORWARD_VOID(ssh_set_counters, (ssh_session session, ssh_counter scounter, ssh_counter rcounter),
             session, scounter, rcounter)
FORWARD_VOID(ssh_silent_disconnect, (ssh_session session), session)
FORWARD_VOID(ssh_string_free_char, (char *s), s)
FORWARD(int, ssh_userauth_agent, (ssh_session session, const char *username), session, username)
FORWARD(int, ssh_userauth_list, (ssh_session session, const char *username), session, username)
FORWARD(int, ssh_userauth_publickey, (ssh_session session, const char *username,
        const ssh_key privkey), session, username, privkey)
FORWARD(int, ssh_userauth_try_publickey, (ssh_session session, const char *username,
        const ssh_key pubkey), session, username, pubkey)
