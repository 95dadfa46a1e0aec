// SPDX-License-Identifier: Apache-2.0
// Decodes and encodes values with rpcgen's code for a protocol and libtirpc. An input line has the index of a type in types.inc and the hex
// digits of an encoded value. An output line has the value encoded again, a slash, and the value as text; or "refused".
static void show_int(int *v) {
    printf(" %d", *v);
}

static void show_u_int(u_int *v) {
    printf(" %u", *v);
}

static void show_hyper(int64_t *v) {
    printf(" %lld", (long long)*v);
}

static void show_u_hyper(uint64_t *v) {
    printf(" %llu", (unsigned long long)*v);
}

static void show_float(float *v) {
    uint32_t bits;
    memcpy(&bits, v, sizeof bits);
    printf(" %08x", bits);
}

static void show_double(double *v) {
    uint64_t bits;
    memcpy(&bits, v, sizeof bits);
    printf(" %016llx", (unsigned long long)bits);
}

static void show_bool(bool_t *v) {
    show_int(v);
}

static void show_bytes(const char *bytes, size_t length) {
    printf(" %zu:", length);
    for (size_t i = 0; i < length; i++) {
        printf("%02x", (unsigned char)bytes[i]);
    }
}

#include "show.inc"

#define TYPE(c_type, name) {(xdrproc_t)xdr_##name, (void (*)(void *))show_##name, sizeof(c_type)},
static const struct {
    xdrproc_t routine;
    void (*show)(void *);
    size_t size;
} types[] = {
#include "types.inc"
};

static void recode(size_t index, char *bytes, u_int length) {
    static char encoded[1 << 20];
    char *value = calloc(1, types[index].size + 1);
    XDR in;
    XDR out;
    xdrmem_create(&in, bytes, length, XDR_DECODE);
    xdrmem_create(&out, encoded, sizeof encoded, XDR_ENCODE);
    if (!types[index].routine(&in, value) || xdr_getpos(&in) != length || !types[index].routine(&out, value)) {
        printf("refused");
    } else {
        for (u_int i = 0; i < xdr_getpos(&out); i++) {
            printf("%02x", (unsigned char)encoded[i]);
        }
        printf("/");
        types[index].show(value);
    }
    printf("\n");
    xdr_free(types[index].routine, value);
    free(value);
}

// If a count exceeds the bytes, libtirpc allocates memory for all of it, and walks through it to free it. With little memory it fails at once,
// and reports that on standard error.
static void limit_memory(void) {
    struct rlimit limit = {64 << 20, 64 << 20};
    if (setrlimit(RLIMIT_AS, &limit) != 0 || freopen("/dev/null", "w", stderr) == NULL) {
        perror("cannot limit memory");
        exit(1);
    }
}

int main(void) {
    limit_memory();
    char *line = NULL;
    size_t capacity = 0;
    while (getline(&line, &capacity, stdin) > 0) {
        char *digits;
        size_t index = strtoul(line, &digits, 10);
        u_int length = 0;
        char *bytes = ++digits;
        for (unsigned byte; sscanf(digits, "%2x", &byte) == 1; digits += 2) {
            bytes[length++] = (char)byte;
        }
        recode(index, bytes, length);
    }
    free(line);
    return 0;
}
