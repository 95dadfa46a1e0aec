// SPDX-License-Identifier: Apache-2.0
package org.emplace.benchmarks;

/**
 * Two subjects to compare.
 *
 * @param ours the name of the first subject
 * @param peer the name of the second
 */
record Pairing(String ours, String peer) {}
