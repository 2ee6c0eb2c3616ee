#ifndef AGENTPIPES_CCRYPTO_H
#define AGENTPIPES_CCRYPTO_H

#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/x509.h>

#if OPENSSL_VERSION_MAJOR < 3
#error "agentpipes needs OpenSSL 3.0 or later"
#endif

#endif
