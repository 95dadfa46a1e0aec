// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc;

/**
 * A visit of the payloads of one result.
 *
 * @param visitor takes them
 * @param elements the elements of arrays that have been visited
 */
record ResultVisit(ResultPlaces.Visitor visitor, ElementCounts elements) {}
