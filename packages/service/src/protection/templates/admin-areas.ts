import { all, any, fromOutside, method, path, type RuleTemplate } from './template.ts';

const category = 'admin_areas';
const outside = '203.0.113.9';
const inside = '10.1.2.3';

/** Doors for operators that need not stand open to everybody. */
export const adminAreas: readonly RuleTemplate[] = [
  {
    id: 'tpl_admin_private_only',
    name: 'Admin area from private networks only',
    description:
      'Lets /admin, /administrator and /manage be reached from private networks alone. Locks out operators who come from the Internet; add their address to the rule first.',
    severity: 'high',
    category,
    recommended: false,
    action: 'block',
    conditions: all(path('^/(admin|administrator|manage|management)(/|$)'), ...fromOutside),
    fires: [
      { target: '/admin', ip: outside },
      { target: '/Administrator/index.php', ip: outside },
    ],
    passes: [
      { target: '/admin', ip: inside },
      { target: '/administration-law', ip: outside },
    ],
  },
  {
    id: 'tpl_phpmyadmin',
    name: 'Block phpMyAdmin and its kin',
    description:
      'Stops requests for phpMyAdmin, Adminer and pgAdmin under their usual names. Breaks these tools where they are reached through this site.',
    severity: 'high',
    category,
    recommended: true,
    action: 'block',
    conditions: all(
      path(
        String.raw`/(phpmyadmin|pma|myadmin|mysqladmin|dbadmin|pgadmin4?|phppgadmin|adminer(-[\d.]+)?(\.php)?)(/|$)`,
      ),
    ),
    fires: [{ target: '/phpMyAdmin/index.php' }, { target: '/adminer-4.8.1.php' }, { target: '/pma/' }],
    passes: [{ target: '/pmastery' }, { target: '/help/adminer-guide' }],
  },
  {
    id: 'tpl_php_info',
    name: 'Block PHP information pages',
    description:
      'Stops requests for phpinfo.php, info.php and test.php, which show the whole configuration. Breaks a page of your own under one of these names.',
    severity: 'high',
    category,
    recommended: true,
    action: 'block',
    conditions: all(path(String.raw`/(php_?info|info|test|i|pi)\.php\d?$`)),
    fires: [{ target: '/phpinfo.php' }, { target: '/info.php' }, { target: '/dev/php_info.php' }],
    passes: [{ target: '/contact-info.php' }, { target: '/information' }],
  },
  {
    id: 'tpl_server_status',
    name: 'Block server status pages',
    description:
      "Stops Apache's server-status and server-info and nginx_status from outside. Monitoring from private networks still reaches them.",
    severity: 'medium',
    category,
    recommended: true,
    action: 'block',
    conditions: all(path('^/(server-(status|info)|nginx_status|fpm-status|stub_status)$'), ...fromOutside),
    fires: [
      { target: '/server-status', ip: outside },
      { target: '/nginx_status', ip: outside },
    ],
    passes: [
      { target: '/server-status', ip: inside },
      { target: '/server-status-page', ip: outside },
    ],
  },
  {
    id: 'tpl_spring_actuator',
    name: 'Block Spring Boot actuator',
    description:
      'Stops actuator calls that show environment, heap and mappings; /actuator/health and /actuator/info stay reachable. Breaks remote monitoring that uses the others.',
    severity: 'critical',
    category,
    recommended: true,
    action: 'block',
    conditions: all(
      path(
        '/actuator/(env|heapdump|threaddump|mappings|beans|configprops|loggers|shutdown|gateway|jolokia|logfile|httptrace|trace|sessions|scheduledtasks)(/|$)',
      ),
    ),
    fires: [{ target: '/actuator/env' }, { target: '/app/actuator/heapdump' }],
    passes: [{ target: '/actuator/health' }, { target: '/actuator/environment-tips' }],
  },
  {
    id: 'tpl_tomcat_manager',
    name: 'Block Tomcat and JBoss consoles',
    description:
      'Stops the management consoles of Tomcat, JBoss and WebLogic. Breaks deployment through them over this site.',
    severity: 'critical',
    category,
    recommended: true,
    action: 'block',
    conditions: all(
      path(
        '^/((host-)?manager/(html|text|status|jmxproxy)|jmx-console|web-console|admin-console|invoker/(jmx|ejb)|console/login)',
      ),
    ),
    fires: [{ target: '/manager/html' }, { target: '/jmx-console/' }],
    passes: [{ target: '/manager' }, { target: '/console' }],
  },
  {
    id: 'tpl_jenkins_script',
    name: 'Block script consoles',
    description:
      'Stops the Groovy script consoles of Jenkins and the Solr admin calls, each of which runs commands. Breaks administration through this site.',
    severity: 'critical',
    category,
    recommended: true,
    action: 'block',
    conditions: all(path(String.raw`(^|/)(script(text)?|securityrealm/user/.*/script|solr/admin/[\w/]+)$`)),
    fires: [{ target: '/jenkins/script' }, { target: '/scriptText' }, { target: '/solr/admin/cores' }],
    passes: [{ target: '/scripts/app.js' }, { target: '/transcript' }],
  },
  {
    id: 'tpl_debug_tools',
    name: 'Block debug toolbars and profilers',
    description:
      'Stops Symfony, Laravel, Django and Rails debug pages, which show source and run code. Breaks debugging through this site.',
    severity: 'high',
    category,
    recommended: true,
    action: 'block',
    conditions: all(
      path(
        String.raw`^/(_profiler|_wdt|app_dev\.php|_ignition|telescope|horizon|__debug__|rails/(info|mailers)|__clockwork|debug/(default|pprof|vars))(/|$)`,
      ),
    ),
    fires: [
      { target: '/_profiler/latest' },
      { target: '/_ignition/execute-solution' },
      { target: '/debug/pprof/heap' },
    ],
    passes: [{ target: '/debug' }, { target: '/rails/' }, { target: '/telescopes' }],
  },
  {
    id: 'tpl_metrics_private_only',
    name: 'Metrics from private networks only',
    description:
      'Lets /metrics and /prometheus be reached from private networks alone. Breaks scraping from the Internet.',
    severity: 'medium',
    category,
    recommended: false,
    action: 'block',
    conditions: all(path('^/(metrics|prometheus|actuator/prometheus)/?$'), ...fromOutside),
    fires: [
      { target: '/metrics', ip: outside },
      { target: '/actuator/prometheus', ip: outside },
    ],
    passes: [
      { target: '/metrics', ip: inside },
      { target: '/metrics/guide', ip: outside },
    ],
  },
  {
    id: 'tpl_installers',
    name: 'Block setup and upgrade scripts',
    description:
      'Stops setup.php, install.php and upgrade.php, with which a stranger can take over a fresh or half-finished installation. Pause it for upgrades.',
    severity: 'high',
    category,
    recommended: true,
    action: 'block',
    conditions: all(path(String.raw`/(setup(-config)?|install(er)?|upgrade|update-core)\.php$`)),
    fires: [{ target: '/install.php' }, { target: '/wp-admin/setup-config.php' }],
    passes: [{ target: '/install' }, { target: '/upgrade-your-plan' }],
  },
  {
    id: 'tpl_login_challenge',
    name: 'Challenge browsers at sign-in pages',
    description:
      'Asks for a proof of work before a sign-in form is posted, which makes password guessing dear. Breaks scripts that sign in through the form; exempt their address.',
    severity: 'medium',
    category,
    recommended: false,
    action: 'challenge',
    conditions: all(
      method('POST'),
      path(String.raw`/(log-?in|sign-?in|wp-login\.php|user/login|session)/?$`),
    ),
    fires: [
      { method: 'POST', target: '/login', body: 'a=b' },
      { method: 'POST', target: '/wp-login.php', body: 'log=x' },
    ],
    passes: [{ target: '/login' }, { method: 'POST', target: '/blogin', body: 'a=b' }],
  },
  {
    id: 'tpl_cgi_bin',
    name: 'Block CGI directories',
    description:
      'Stops /cgi-bin, which few sites still have and every scanner tries. Breaks a site with CGI scripts.',
    severity: 'medium',
    category,
    recommended: false,
    action: 'block',
    conditions: any(path('^/cgi(-bin|-sys|-mod)?/'), path(String.raw`\.cgi$`)),
    fires: [{ target: '/cgi-bin/test' }, { target: '/status.cgi' }],
    passes: [{ target: '/cgi' }, { target: '/logic' }],
  },
];
