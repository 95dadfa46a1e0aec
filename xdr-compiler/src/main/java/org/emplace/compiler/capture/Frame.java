// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.capture;

import java.nio.ByteBuffer;

/**
 * What a capture file has of one packet.
 *
 * @param number from 1, as other tools count
 * @param nanoseconds since 1970, or since another time if the file says no better
 * @param linkType what it begins with: a LINKTYPE number
 * @param bytes as captured; may be fewer than were sent
 */
record Frame(long number, long nanoseconds, int linkType, ByteBuffer bytes) {}
