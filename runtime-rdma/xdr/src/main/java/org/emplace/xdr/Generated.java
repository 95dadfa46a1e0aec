// SPDX-License-Identifier: Apache-2.0
package org.emplace.xdr;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks a class that the XDR compiler generated. Retained in the class file, so that tools such as coverage reports can
 * exclude generated code.
 */
@Documented
@Retention(RetentionPolicy.CLASS)
@Target(ElementType.TYPE)
public @interface Generated {

    /** The names of the XDR files that the class was generated from, without directories. */
    String value();
}
