/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Encodes and decodes the message in a file, with rpcgen's code for its protocol and libtirpc: xdr_codec FILE. Built with
 * -DHEADER=\"NAME.h\" -DTYPE=NAME. Answers each line NAME COUNT with the cost of one message, in nanoseconds and bytes allocated.
 */
#include HEADER
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define CAT(a, b) a##b
#define CODE(type) CAT(xdr_, type)

enum { LIMIT = 1 << 20 };

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);

static unsigned long long allocated;

/* Counts the bytes and calls the C library's function. libtirpc calls this too. */
void *malloc(size_t size)
{
    allocated += size;
    return __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
    allocated += count * size;
    return __libc_calloc(count, size);
}

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return 1e9 * (double)time.tv_sec + (double)time.tv_nsec;
}

static int decode(char *message, unsigned length, TYPE *value)
{
    XDR in;
    memset(value, 0, sizeof *value);
    xdrmem_create(&in, message, length, XDR_DECODE);
    return CODE(TYPE)(&in, value);
}

static int encode(char *buffer, TYPE *value, unsigned *length)
{
    XDR out;
    xdrmem_create(&out, buffer, LIMIT, XDR_ENCODE);
    if (!CODE(TYPE)(&out, value))
        return 0;
    *length = xdr_getpos(&out);
    return 1;
}

static int measure(char *message, unsigned length, char *buffer, TYPE *value, unsigned long count)
{
    unsigned long long allocated_first = allocated;
    double begin = now();
    for (unsigned long i = 0; i < count; i++) {
        unsigned encoded_length;
        if (!encode(buffer, value, &encoded_length))
            return 0;
    }
    double encoded = now();
    unsigned long long allocated_between = allocated;
    for (unsigned long i = 0; i < count; i++) {
        TYPE again;
        if (!decode(message, length, &again))
            return 0;
        xdr_free((xdrproc_t)CODE(TYPE), (char *)&again);
    }
    double decoded = now();
    printf("encode=%.1f decode=%.1f encode-allocated=%.1f decode-allocated=%.1f\n", (encoded - begin) / (double)count,
           (decoded - encoded) / (double)count, (double)(allocated_between - allocated_first) / (double)count,
           (double)(allocated - allocated_between) / (double)count);
    fflush(stdout);
    return 1;
}

int main(int argc, char **argv)
{
    static char message[LIMIT], buffer[LIMIT];
    FILE *file = argc == 2 ? fopen(argv[1], "rb") : NULL;
    if (!file) {
        fprintf(stderr, "usage: xdr_codec FILE\n");
        return 2;
    }
    unsigned length = (unsigned)fread(message, 1, sizeof message, file);
    fclose(file);

    TYPE value;
    unsigned encoded_length;
    if (!decode(message, length, &value) || !encode(buffer, &value, &encoded_length) || encoded_length != length ||
        memcmp(message, buffer, length) != 0) {
        fprintf(stderr, "xdr_codec: libtirpc encodes %s differently\n", argv[1]);
        return 1;
    }
    puts("ready");
    fflush(stdout);

    unsigned long count;
    while (scanf("%*s %lu", &count) == 1) {
        if (count == 0 || !measure(message, length, buffer, &value, count)) {
            fprintf(stderr, "xdr_codec: %s: coding failed\n", argv[1]);
            return 1;
        }
    }
    return 0;
}
