// SPDX-License-Identifier: Apache-2.0
/** Makes the files of a user's new project: a Maven build, a server, a client and a test of the user's protocol. */
@NullMarked
package org.emplace.compiler.starter;

import org.jspecify.annotations.NullMarked;
