// libcrypto takes a tenth of the memory of a program at its start, and what answers at once needs none of it, so it is
// loaded at its first use. The functions below have the names of those of libcrypto and hand over to them; on other
// systems the program is linked with libcrypto.
#ifdef __linux__
#include "shim.h"
#include "../CPlatform/loading.h"

// The interface of all versions 3.
static const struct loaded_library source = {
    "libcrypto", "libcrypto.so.3", "OpenSSL 3; Debian has its library as libssl3"};

// Of each function its result, its name, what it takes, and what is handed over.
#define FUNCTIONS(F) \
    F(int, BIO_free, (BIO *bio), (bio)) \
    F(BIO *, BIO_new_mem_buf, (const void *bytes, int count), (bytes, count)) \
    F(int, BN_bn2binpad, (const BIGNUM *number, unsigned char *bytes, int count), (number, bytes, count)) \
    F(void, ECDSA_SIG_free, (ECDSA_SIG *signature), (signature)) \
    F(const BIGNUM *, ECDSA_SIG_get0_r, (const ECDSA_SIG *signature), (signature)) \
    F(const BIGNUM *, ECDSA_SIG_get0_s, (const ECDSA_SIG *signature), (signature)) \
    F(void, ERR_clear_error, (void), ()) \
    F(int, EVP_DigestFinal_ex, (EVP_MD_CTX *context, unsigned char *digest, unsigned int *count), \
        (context, digest, count)) \
    F(int, EVP_DigestInit_ex2, (EVP_MD_CTX *context, const EVP_MD *function, const OSSL_PARAM parameters[]), \
        (context, function, parameters)) \
    F(int, EVP_DigestSign, \
        (EVP_MD_CTX *context, unsigned char *signature, size_t *size, const unsigned char *bytes, size_t count), \
        (context, signature, size, bytes, count)) \
    F(int, EVP_DigestSignInit, \
        (EVP_MD_CTX *context, EVP_PKEY_CTX **inner, const EVP_MD *function, ENGINE *engine, EVP_PKEY *key), \
        (context, inner, function, engine, key)) \
    F(int, EVP_DigestUpdate, (EVP_MD_CTX *context, const void *bytes, size_t count), (context, bytes, count)) \
    F(void, EVP_MD_CTX_free, (EVP_MD_CTX *context), (context)) \
    F(EVP_MD_CTX *, EVP_MD_CTX_new, (void), ()) \
    F(EVP_MD *, EVP_MD_fetch, (OSSL_LIB_CTX *of, const char *name, const char *properties), \
        (of, name, properties)) \
    F(void, EVP_PKEY_free, (EVP_PKEY *key), (key)) \
    F(int, EVP_PKEY_get_base_id, (const EVP_PKEY *key), (key)) \
    F(int, EVP_PKEY_get_bits, (const EVP_PKEY *key), (key)) \
    F(int, EVP_PKEY_get_group_name, (const EVP_PKEY *key, char *name, size_t size, size_t *length), \
        (key, name, size, length)) \
    F(int, EVP_PKEY_get_size, (const EVP_PKEY *key), (key)) \
    F(const EVP_MD *, EVP_sha256, (void), ()) \
    F(unsigned char *, HMAC, \
        (const EVP_MD *function, const void *key, int length, const unsigned char *bytes, size_t count, \
            unsigned char *code, unsigned int *size), \
        (function, key, length, bytes, count, code, size)) \
    F(EVP_PKEY *, PEM_read_bio_PrivateKey, \
        (BIO *bio, EVP_PKEY **key, pem_password_cb *callback, void *context), (bio, key, callback, context)) \
    F(ECDSA_SIG *, d2i_ECDSA_SIG, (ECDSA_SIG **signature, const unsigned char **bytes, long count), \
        (signature, bytes, count))

#define POINTER(result, name, takes, handed) result (*name) takes;
static struct {
    FUNCTIONS(POINTER)
} library;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void load(void) {
    void *handle = opened_library(&source);
#define LOOK_UP(result, name, takes, handed) *(void **)&library.name = loaded_function(&source, handle, #name);
    FUNCTIONS(LOOK_UP)
}

// Nothing outside of the program finds these in the place of those of the library.
#pragma GCC visibility push(hidden)
#define HAND_OVER(result, name, takes, handed) \
    result name takes { return pthread_once(&once, load), library.name handed; }
FUNCTIONS(HAND_OVER)
#pragma GCC visibility pop
#endif
