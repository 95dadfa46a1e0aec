// SPDX-License-Identifier: Apache-2.0
// Addresses and ports, between Java and sockets.
#ifndef EMPLACE_ENDPOINT_H
#define EMPLACE_ENDPOINT_H

#include "failure.h"

#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>

enum { ADDRESS_SIZE = 16 };

// An address as Java gives it.
struct endpoint {
    const void *address;
    size_t length; // 4 or 16
    uint32_t scope;
    int port;
};

bool endpoint_to_socket(const struct endpoint *endpoint, struct sockaddr_storage *address, struct failure *failure);

// The length is 0 if it is no address of IPv4 or IPv6.
void endpoint_of_socket(const struct sockaddr *from, uint8_t address[ADDRESS_SIZE], int *length, int *port);

#endif
