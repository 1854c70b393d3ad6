import { all, any, body, fromOutside, method, path, query, type RuleTemplate } from './template.ts';

const category = 'wordpress';

/** What attackers of WordPress try first. */
export const wordpress: readonly RuleTemplate[] = [
  {
    id: 'tpl_wp_xmlrpc',
    name: 'Block WordPress XML-RPC',
    description:
      'Stops xmlrpc.php, used to guess hundreds of passwords in one request and to attack others by pingback. Breaks the mobile app and Jetpack.',
    severity: 'high',
    category,
    recommended: true,
    action: 'block',
    conditions: all(path(String.raw`/xmlrpc\.php$`)),
    fires: [{ method: 'POST', target: '/xmlrpc.php', body: '<methodCall/>' }, { target: '/blog/XMLRPC.php' }],
    passes: [{ target: '/xmlrpc' }, { target: '/docs/xmlrpc.php.html' }],
  },
  {
    id: 'tpl_wp_users',
    name: 'Block listing of WordPress users',
    description:
      'Stops the REST call and the author parameter that name the accounts. Breaks themes that show authors through the REST interface.',
    severity: 'medium',
    category,
    recommended: true,
    action: 'block',
    conditions: any(
      path('/wp-json/wp/v2/users(/|$)'),
      query('rest_route=/wp/v2/users'),
      query(String.raw`(^|[?&])author=\d+(&|$)`),
    ),
    fires: [
      { target: '/wp-json/wp/v2/users' },
      { target: '/?author=1' },
      { target: '/?rest_route=/wp/v2/users/1' },
    ],
    passes: [{ target: '/wp-json/wp/v2/posts' }, { target: '/?author=ada' }],
  },
  {
    id: 'tpl_wp_config',
    name: 'Block copies of wp-config.php',
    description:
      'Stops wp-config.php and every copy of it, which holds the database password. Breaks nothing.',
    severity: 'critical',
    category,
    recommended: true,
    action: 'block',
    conditions: all(path(String.raw`/wp-config(-sample)?\.(php|txt|bak|old)[\w.~-]*$`)),
    fires: [{ target: '/wp-config.php' }, { target: '/wp-config.php.bak' }, { target: '/wp-config.txt' }],
    passes: [{ target: '/wp-configuration' }, { target: '/wp-content/a.css' }],
  },
  {
    id: 'tpl_wp_uploads_php',
    name: 'Block PHP in WordPress uploads',
    description:
      'Stops scripts under wp-content/uploads, where an uploaded shell would lie. Breaks only plugins that run code from there.',
    severity: 'critical',
    category,
    recommended: true,
    action: 'block',
    conditions: all(path(String.raw`/wp-content/uploads/.*\.(php\d?|phtml|phar|pht)(/|$)`)),
    fires: [{ target: '/wp-content/uploads/2026/01/x.php' }, { target: '/wp-content/uploads/a.phtml' }],
    passes: [
      { target: '/wp-content/uploads/2026/photo.jpg' },
      { target: '/wp-content/uploads/php-logo.png' },
    ],
  },
  {
    id: 'tpl_wp_includes_php',
    name: 'Block direct calls of WordPress internals',
    description:
      'Stops PHP files under wp-includes and wp-admin/includes, which are never called directly. Breaks old plugins that do; the editor (wp-tinymce.php) stays.',
    severity: 'medium',
    category,
    recommended: false,
    action: 'block',
    conditions: all(
      path(
        String.raw`/(wp-admin/includes|wp-includes/(ID3|IXR|PHPMailer|Requests|SimplePie|Text|rest-api|widgets))/.*\.php$`,
      ),
    ),
    fires: [{ target: '/wp-includes/ID3/x.php' }, { target: '/wp-admin/includes/file.php' }],
    passes: [{ target: '/wp-includes/js/jquery.js' }, { target: '/wp-includes/js/tinymce/wp-tinymce.php' }],
  },
  {
    id: 'tpl_wp_admin_private_only',
    name: 'WordPress administration from private networks only',
    description:
      'Lets wp-admin and wp-login.php be reached from private networks alone; admin-ajax.php stays open. Locks out authors who write from the Internet.',
    severity: 'high',
    category,
    recommended: false,
    action: 'block',
    conditions: all(
      path(
        String.raw`/(wp-login\.php|wp-admin(/(index|users|plugins|themes|options[\w-]*|edit|post|plugin-[\w-]+|theme-[\w-]+)\.php|/)?)$`,
      ),
      ...fromOutside,
    ),
    fires: [
      { target: '/wp-login.php', ip: '203.0.113.9' },
      { target: '/wp-admin/plugins.php', ip: '203.0.113.9' },
    ],
    passes: [
      { target: '/wp-login.php', ip: '192.168.1.5' },
      { target: '/wp-admin/admin-ajax.php', ip: '203.0.113.9' },
    ],
  },
  {
    id: 'tpl_wp_registration',
    name: 'Block WordPress self-registration',
    description:
      'Stops registration forms that bots fill in. Breaks sites on which visitors sign up themselves.',
    severity: 'low',
    category,
    recommended: false,
    action: 'block',
    conditions: any(path(String.raw`/wp-(signup|register)\.php$`), query('(^|[?&])action=register(&|$)')),
    fires: [{ target: '/wp-signup.php' }, { target: '/wp-login.php?action=register' }],
    passes: [{ target: '/wp-login.php?action=lostpassword' }, { target: '/register' }],
  },
  {
    id: 'tpl_wp_readme',
    name: 'Block WordPress version files',
    description: 'Stops readme.html and license.txt, by which scanners learn the version. Breaks nothing.',
    severity: 'low',
    category,
    recommended: true,
    action: 'block',
    conditions: all(
      path(
        String.raw`^/(readme\.html|license\.txt|wp-content/(plugins|themes)/[\w-]+/(readme|changelog)\.(txt|md))$`,
      ),
    ),
    fires: [{ target: '/readme.html' }, { target: '/wp-content/plugins/akismet/readme.txt' }],
    passes: [{ target: '/docs/readme.html' }, { target: '/license' }],
  },
  {
    id: 'tpl_wp_file_editor',
    name: 'Block editing of code in WordPress',
    description:
      'Stops the theme and plugin editors, through which a stolen account becomes code on the server. Breaks editing code in the browser.',
    severity: 'high',
    category,
    recommended: true,
    action: 'block',
    conditions: all(path(String.raw`/wp-admin/(theme|plugin)-editor\.php$`)),
    fires: [
      { target: '/wp-admin/theme-editor.php' },
      { method: 'POST', target: '/wp-admin/plugin-editor.php', body: 'a=b' },
    ],
    passes: [{ target: '/wp-admin/plugins.php' }, { target: '/theme-editor' }],
  },
  {
    id: 'tpl_wp_pingback',
    name: 'Block WordPress pingbacks and multicalls',
    description:
      'Stops only system.multicall and pingback.ping in XML-RPC, for sites that need the rest of it. Breaks pingbacks.',
    severity: 'medium',
    category,
    recommended: false,
    action: 'block',
    conditions: all(
      method('POST'),
      path(String.raw`/xmlrpc\.php$`),
      body(String.raw`(system\.multicall|pingback\.ping)`),
    ),
    fires: [
      {
        method: 'POST',
        target: '/xmlrpc.php',
        headers: { 'content-type': 'text/xml' },
        body: '<methodCall><methodName>system.multicall</methodName></methodCall>',
      },
    ],
    passes: [
      {
        method: 'POST',
        target: '/xmlrpc.php',
        headers: { 'content-type': 'text/xml' },
        body: '<methodCall><methodName>wp.getPosts</methodName></methodCall>',
      },
    ],
  },
];
