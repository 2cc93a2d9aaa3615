// libsodium: encryption that notices every change (crypto_secretstream_xchacha20poly1305.h, crypto_generichash.h).
#include "library.h"

// The sizes in bytes, which are part of the library's interface, and the tag of a stream's last message.
#define sodium_key_size 32
#define sodium_stream_header_size 24
#define sodium_stream_added_size 17
#define sodium_stream_state_size 52
#define sodium_stream_last_tag 3

// A result of 0 is success. What is passed as the state has `sodium_stream_state_size` bytes.
#define SODIUM(FUNCTION) \
  FUNCTION(int, sodium_init, (void)) \
  FUNCTION(int, crypto_generichash, \
           (void *hash, unsigned long size, const void *bytes, unsigned long long count, const void *key, \
            unsigned long key_size)) \
  FUNCTION(int, crypto_secretstream_xchacha20poly1305_init_push, (void *state, void *header, const void *key)) \
  FUNCTION(int, crypto_secretstream_xchacha20poly1305_push, \
           (void *state, void *sealed, unsigned long long *sealed_count, const void *plain, unsigned long long count, \
            const void *added, unsigned long long added_count, unsigned char tag)) \
  FUNCTION(int, crypto_secretstream_xchacha20poly1305_init_pull, (void *state, const void *header, const void *key)) \
  FUNCTION(int, crypto_secretstream_xchacha20poly1305_pull, \
           (void *state, void *plain, unsigned long long *plain_count, unsigned char *tag, const void *sealed, \
            unsigned long long count, const void *added, unsigned long long added_count))

LIBRARY(sodium, SODIUM, "libsodium.so.26", "libsodium.so.23")
