// SPDX-License-Identifier: Apache-2.0
package org.emplace.xdr;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks a class that the XDR compiler generated. Kept in the class file for tools that leave out generated code, such as those that measure
 * coverage.
 */
@Documented
@Retention(RetentionPolicy.CLASS)
@Target(ElementType.TYPE)
public @interface Generated {

    /** The XDR files that the class was made from, without their folders. */
    String value();
}
