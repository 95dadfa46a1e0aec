// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.capture;

import java.nio.ByteBuffer;

/**
 * One packet, as captured.
 *
 * @param number from 1, as other tools count
 * @param nanoseconds since 1970, or another time if the file does not say
 * @param linkType LINKTYPE number of its first header
 * @param bytes as captured; may be fewer than were sent
 */
record Frame(long number, long nanoseconds, int linkType, ByteBuffer bytes) {}
