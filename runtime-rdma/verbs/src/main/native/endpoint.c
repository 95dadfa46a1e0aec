// SPDX-License-Identifier: Apache-2.0
#include "endpoint.h"

#include <netinet/in.h>
#include <string.h>

bool endpoint_to_socket(const struct endpoint *endpoint, struct sockaddr_storage *address, struct failure *failure)
{
    if (endpoint->port < 0 || endpoint->port > UINT16_MAX)
        return fail_argument(failure, "the port is not one of 0 to 65535");
    *address = (struct sockaddr_storage){0};
    if (endpoint->length == 4) {
        struct sockaddr_in in = {.sin_family = AF_INET, .sin_port = htons((uint16_t)endpoint->port)};
        memcpy(&in.sin_addr, endpoint->address, 4);
        memcpy(address, &in, sizeof in);
    } else if (endpoint->length == ADDRESS_SIZE) {
        struct sockaddr_in6 in6 = {
            .sin6_family = AF_INET6, .sin6_port = htons((uint16_t)endpoint->port), .sin6_scope_id = endpoint->scope};
        memcpy(&in6.sin6_addr, endpoint->address, ADDRESS_SIZE);
        memcpy(address, &in6, sizeof in6);
    } else {
        return fail_argument(failure, "an address has 4 or 16 bytes");
    }
    return true;
}

void endpoint_of_socket(const struct sockaddr *from, uint8_t address[ADDRESS_SIZE], int *length, int *port)
{
    *length = 0;
    *port = 0;
    if (from->sa_family == AF_INET) {
        struct sockaddr_in in;
        memcpy(&in, from, sizeof in);
        memcpy(address, &in.sin_addr, 4);
        *length = 4;
        *port = ntohs(in.sin_port);
    } else if (from->sa_family == AF_INET6) {
        struct sockaddr_in6 in6;
        memcpy(&in6, from, sizeof in6);
        memcpy(address, &in6.sin6_addr, ADDRESS_SIZE);
        *length = ADDRESS_SIZE;
        *port = ntohs(in6.sin6_port);
    }
}
