// SPDX-License-Identifier: Apache-2.0
import org.emplace.tests.plugin.Build

new Build(basedir)
    .requireFiles('program/target/classes/p/Event.class')
    .keepTimes('program/target/generated-sources')
return true
