// SPDX-License-Identifier: Apache-2.0
/** Makes the files of a project with which users begin: a Maven build, a server, a client and a test of a protocol of their own. */
@NullMarked
package org.emplace.compiler.starter;

import org.jspecify.annotations.NullMarked;
