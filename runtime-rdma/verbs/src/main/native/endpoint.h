// SPDX-License-Identifier: Apache-2.0
// Converts addresses and ports between Java and sockets.
#ifndef EMPLACE_ENDPOINT_H
#define EMPLACE_ENDPOINT_H

#include "failure.h"

#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>

enum { ADDRESS_SIZE = 16 };

// An address as Java passes it.
struct endpoint {
    const void *address;
    size_t length; // 4 or 16
    uint32_t scope;
    int port;
};

bool endpoint_to_socket(const struct endpoint *endpoint, struct sockaddr_storage *address, struct failure *failure);

// Sets length to 0 if this is not an IPv4 or IPv6 address.
void endpoint_of_socket(const struct sockaddr *from, uint8_t address[ADDRESS_SIZE], int *length, int *port);

#endif
