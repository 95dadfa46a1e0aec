// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.model;

/**
 * The position of a definition, for messages and Javadoc.
 *
 * @param file as the user named it
 * @param line from 1
 * @param column from 1
 */
public record Origin(String file, int line, int column) {}
