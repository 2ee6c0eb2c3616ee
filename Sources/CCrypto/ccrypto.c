// The functions of libcrypto that Cryptography calls.

#include "forwarding.h"

#pragma GCC visibility push(hidden)
#include "include/ccrypto.h"

#define LIBRARY LOADING_CRYPTO

FORWARD_VOID(ERR_clear_error, (void))
FORWARD(int, EVP_CIPHER_CTX_ctrl, (EVP_CIPHER_CTX *ctx, int type, int arg, void *ptr), ctx, type,
        arg, ptr)
FORWARD_VOID(EVP_CIPHER_CTX_free, (EVP_CIPHER_CTX *ctx), ctx)
FORWARD(EVP_CIPHER_CTX *, EVP_CIPHER_CTX_new, (void))
FORWARD(int, EVP_CipherFinal_ex, (EVP_CIPHER_CTX *ctx, unsigned char *outm, int *outl), ctx, outm,
        outl)
FORWARD(int, EVP_CipherInit_ex, (EVP_CIPHER_CTX *ctx, const EVP_CIPHER *cipher, ENGINE *impl,
        const unsigned char *key, const unsigned char *iv, int enc), ctx, cipher, impl, key, iv,
        enc)
FORWARD(int, EVP_CipherUpdate, (EVP_CIPHER_CTX *ctx, unsigned char *out, int *outl,
        const unsigned char *in, int inl), ctx, out, outl, in, inl)
FORWARD(int, EVP_Digest, (const void *data, size_t count, unsigned char *md, unsigned int *size,
        const EVP_MD *type, ENGINE *impl), data, count, md, size, type, impl)
FORWARD(int, EVP_DigestSign, (EVP_MD_CTX *ctx, unsigned char *sigret, size_t *siglen,
        const unsigned char *tbs, size_t tbslen), ctx, sigret, siglen, tbs, tbslen)
FORWARD(int, EVP_DigestSignInit, (EVP_MD_CTX *ctx, EVP_PKEY_CTX **pctx, const EVP_MD *type,
        ENGINE *e, EVP_PKEY *pkey), ctx, pctx, type, e, pkey)
FORWARD(int, EVP_DigestVerify, (EVP_MD_CTX *ctx, const unsigned char *sigret, size_t siglen,
        const unsigned char *tbs, size_t tbslen), ctx, sigret, siglen, tbs, tbslen)
FORWARD(int, EVP_DigestVerifyInit, (EVP_MD_CTX *ctx, EVP_PKEY_CTX **pctx, const EVP_MD *type,
        ENGINE *e, EVP_PKEY *pkey), ctx, pctx, type, e, pkey)
FORWARD_VOID(EVP_MD_CTX_free, (EVP_MD_CTX *ctx), ctx)
FORWARD(EVP_MD_CTX *, EVP_MD_CTX_new, (void))
FORWARD_VOID(EVP_PKEY_CTX_free, (EVP_PKEY_CTX *ctx), ctx)
FORWARD(EVP_PKEY_CTX *, EVP_PKEY_CTX_new, (EVP_PKEY *pkey, ENGINE *e), pkey, e)
FORWARD(int, EVP_PKEY_derive, (EVP_PKEY_CTX *ctx, unsigned char *key, size_t *keylen), ctx, key,
        keylen)
FORWARD(int, EVP_PKEY_derive_init, (EVP_PKEY_CTX *ctx), ctx)
FORWARD(int, EVP_PKEY_derive_set_peer, (EVP_PKEY_CTX *ctx, EVP_PKEY *peer), ctx, peer)
FORWARD_VOID(EVP_PKEY_free, (EVP_PKEY *pkey), pkey)
FORWARD(int, EVP_PKEY_get_octet_string_param, (const EVP_PKEY *pkey, const char *key_name,
        unsigned char *buf, size_t max_buf_sz, size_t *out_sz), pkey, key_name, buf, max_buf_sz,
        out_sz)
FORWARD(EVP_PKEY *, EVP_PKEY_new_raw_private_key, (int type, ENGINE *e, const unsigned char *priv,
        size_t len), type, e, priv, len)
FORWARD(EVP_PKEY *, EVP_PKEY_new_raw_public_key, (int type, ENGINE *e, const unsigned char *pub,
        size_t len), type, e, pub, len)
FORWARD(const EVP_CIPHER *, EVP_aes_128_gcm, (void))
FORWARD(const EVP_CIPHER *, EVP_aes_256_gcm, (void))
FORWARD(const EVP_MD *, EVP_sha1, (void))
FORWARD(const EVP_MD *, EVP_sha256, (void))
FORWARD(const EVP_MD *, EVP_sha512, (void))
FORWARD(unsigned char *, HMAC, (const EVP_MD *evp_md, const void *key, int key_len,
        const unsigned char *data, size_t data_len, unsigned char *md, unsigned int *md_len),
        evp_md, key, key_len, data, data_len, md, md_len)
FORWARD(int, OPENSSL_init_crypto, (uint64_t opts, const OPENSSL_INIT_SETTINGS *settings), opts,
        settings)
FORWARD(EVP_PKEY *, d2i_PUBKEY, (EVP_PKEY **a, const unsigned char **in, long len), a, in, len)
FORWARD(EVP_PKEY *, d2i_PrivateKey, (int type, EVP_PKEY **a, const unsigned char **pp,
        long length), type, a, pp, length)
FORWARD(int, i2d_PrivateKey, (const EVP_PKEY *a, unsigned char **pp), a, pp)
