// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc.auth.gss;

import java.util.HashMap;
import java.util.Map;
import javax.security.auth.Subject;
import javax.security.auth.login.AppConfigurationEntry;
import javax.security.auth.login.AppConfigurationEntry.LoginModuleControlFlag;
import javax.security.auth.login.Configuration;
import javax.security.auth.login.LoginContext;
import javax.security.auth.login.LoginException;

/** A login by the JDK's module for Kerberos that needs no configuration file and asks nobody for a password. */
final class KerberosLogin extends Configuration {
    private static final String MODULE = "com.sun.security.auth.module.Krb5LoginModule";

    private final Map<String, String> options;

    private KerberosLogin(Map<String, String> options) {
        this.options = new HashMap<>(options);
        this.options.put("doNotPrompt", "true");
        // So that a program that runs for long notices a change of krb5.conf.
        this.options.put("refreshKrb5Config", "true");
    }

    /** Logs in with these options of the module. */
    static Subject by(Map<String, String> options) throws LoginException {
        Subject subject = new Subject();
        new LoginContext("emplace", subject, null, new KerberosLogin(options)).login();
        return subject;
    }

    @Override
    public AppConfigurationEntry[] getAppConfigurationEntry(String name) {
        return new AppConfigurationEntry[] {new AppConfigurationEntry(MODULE, LoginModuleControlFlag.REQUIRED, options)
        };
    }
}
