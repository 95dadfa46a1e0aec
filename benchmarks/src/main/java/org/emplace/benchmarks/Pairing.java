// SPDX-License-Identifier: Apache-2.0
package org.emplace.benchmarks;

/**
 * Two subjects that are held beside each other.
 *
 * @param ours the name of the one
 * @param peer the name of the other
 */
record Pairing(String ours, String peer) {}
