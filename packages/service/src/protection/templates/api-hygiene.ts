import { all, any, body, header, method, path, query, type RuleTemplate } from './template.ts';

const category = 'api_and_protocol';
const json = { 'content-type': 'application/json' };

/** What an API or a plain site has no use for. */
export const apiHygiene: readonly RuleTemplate[] = [
  {
    id: 'tpl_graphql_introspection',
    name: 'Block GraphQL introspection',
    description:
      'Stops queries that ask a GraphQL service for its whole schema. Breaks explorers and code generators that read it live.',
    severity: 'medium',
    category,
    recommended: false,
    action: 'block',
    conditions: any(query(String.raw`__schema|__type\s*\(`), body(String.raw`__schema\b|__type\s*\(`)),
    fires: [
      { method: 'POST', target: '/graphql', headers: json, body: '{"query":"{__schema{types{name}}}"}' },
      { target: '/graphql?query={__schema{types{name}}}' },
    ],
    passes: [{ method: 'POST', target: '/graphql', headers: json, body: '{"query":"{user{__typename}}"}' }],
  },
  {
    id: 'tpl_api_docs_private',
    name: 'Block public API descriptions',
    description:
      'Stops Swagger and OpenAPI pages under their usual names. Breaks documentation that you publish on this site.',
    severity: 'low',
    category,
    recommended: false,
    action: 'block',
    conditions: all(
      path(
        String.raw`/(swagger(-ui)?(/|\.json|\.ya?ml|$)|v[23]/api-docs|openapi\.(json|ya?ml)$|api-docs(/|$)|redoc$|graphiql(/|$)|playground$)`,
      ),
    ),
    fires: [{ target: '/swagger-ui/index.html' }, { target: '/v2/api-docs' }, { target: '/openapi.json' }],
    passes: [{ target: '/api/users' }, { target: '/docs' }],
  },
  {
    id: 'tpl_json_api_only',
    name: 'API takes JSON only',
    description:
      'Stops form and XML bodies on paths under /api, which many frameworks read although nobody meant them to. Breaks uploads and webhooks that send forms there.',
    severity: 'medium',
    category,
    recommended: false,
    action: 'block',
    conditions: all(
      path('^/api(/|$)'),
      header(
        String.raw`^content-type: *(application/x-www-form-urlencoded|(text|application)/([\w.+-]+\+)?xml|text/plain)`,
      ),
    ),
    fires: [
      {
        method: 'POST',
        target: '/api/users',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: 'role=admin',
      },
      { method: 'POST', target: '/api/x', headers: { 'content-type': 'application/xml' }, body: '<a/>' },
    ],
    passes: [
      { method: 'POST', target: '/api/users', headers: json, body: '{}' },
      {
        method: 'POST',
        target: '/contact',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: 'a=b',
      },
    ],
  },
  {
    id: 'tpl_mass_assignment',
    name: 'Log attempts to raise privileges by extra fields',
    description:
      'Records JSON bodies under /api that set isAdmin, role or permissions to a privileged value. Turn it to block once the log shows no honest use.',
    severity: 'medium',
    category,
    recommended: false,
    action: 'log',
    conditions: all(
      path('^/api(/|$)'),
      body(
        String.raw`"(is_?admin|is_?superuser|role|permissions?)"\s*:\s*(true|"(admin|root|superuser|owner)")`,
      ),
    ),
    fires: [{ method: 'POST', target: '/api/me', headers: json, body: '{"name":"x","isAdmin":true}' }],
    passes: [{ method: 'POST', target: '/api/me', headers: json, body: '{"name":"admin"}' }],
  },
  {
    id: 'tpl_method_override',
    name: 'Block method overrides',
    description:
      'Stops headers that turn a POST into another method behind the gateway, past rules by method. Breaks old clients that rely on them.',
    severity: 'medium',
    category,
    recommended: true,
    action: 'block',
    conditions: all(header('^x-(http-)?method(-override)?: *(put|delete|patch|trace|connect)')),
    fires: [{ method: 'POST', target: '/', headers: { 'x-http-method-override': 'DELETE' }, body: 'a' }],
    passes: [{ method: 'DELETE', target: '/api/x' }],
  },
  {
    id: 'tpl_url_rewrite_headers',
    name: 'Block path overrides by header',
    description:
      'Stops X-Original-URL and X-Rewrite-URL, with which some frameworks serve another path than the gateway saw. Breaks only set-ups that send these through the gateway.',
    severity: 'high',
    category,
    recommended: true,
    action: 'block',
    conditions: all(header('^x-(original|rewrite)-url:')),
    fires: [{ target: '/', headers: { 'x-original-url': '/admin' } }],
    passes: [{ target: '/', headers: { 'x-request-id': '1' } }],
  },
  {
    id: 'tpl_webdav',
    name: 'Block WebDAV methods',
    description:
      'Stops PROPFIND, MKCOL, MOVE and the like, which a site without WebDAV has no use for. Breaks calendars and network drives on this site.',
    severity: 'medium',
    category,
    recommended: true,
    action: 'block',
    conditions: any(
      method('PROPFIND'),
      method('PROPPATCH'),
      method('MKCOL'),
      method('COPY'),
      method('MOVE'),
      method('LOCK'),
      method('UNLOCK'),
      method('SEARCH'),
    ),
    fires: [
      { method: 'PROPFIND', target: '/' },
      { method: 'MKCOL', target: '/a' },
    ],
    passes: [{ target: '/' }, { method: 'PATCH', target: '/a', body: '{}', headers: json }],
  },
  {
    id: 'tpl_read_only',
    name: 'Site is read only',
    description:
      'Stops every method that writes, for sites that only publish. Breaks forms, sign-in, comments and search by POST.',
    severity: 'medium',
    category,
    recommended: false,
    action: 'block',
    conditions: any(method('POST'), method('PUT'), method('PATCH'), method('DELETE')),
    fires: [
      { method: 'POST', target: '/', body: 'a=b' },
      { method: 'DELETE', target: '/a' },
    ],
    passes: [{ target: '/' }, { method: 'HEAD', target: '/' }],
  },
  {
    id: 'tpl_template_injection',
    name: 'Block template expressions in queries',
    description:
      'Stops {{…}} and <%…%> expressions that calculate or reach into objects. Breaks searches for template code.',
    severity: 'high',
    category,
    recommended: false,
    action: 'block',
    conditions: all(
      query(
        String.raw`(\{\{.*(\d\s*[*]\s*\d|__class__|config|self|request).*\}\}|<%=?.*%>|#\{.*(\d\s*[*]\s*\d|system).*\})`,
      ),
    ),
    fires: [
      { target: '/?name={{7*7}}' },
      { target: "/?name={{''.__class__}}" },
      { target: '/?n=%3C%25=%207*7%20%25%3E' },
    ],
    passes: [{ target: '/?name={{greeting}}' }, { target: '/?q=7*7' }],
  },
  {
    id: 'tpl_open_redirect',
    name: 'Block redirects to other sites',
    description:
      'Stops absolute addresses in parameters named next, url, redirect, return or continue. Breaks sign-in that comes back from another domain.',
    severity: 'low',
    category,
    recommended: false,
    action: 'block',
    conditions: all(
      query(
        String.raw`(^|[?&])(next|url|redirect(_?(uri|url|to))?|return(_?(to|url))?|continue|dest(ination)?)=(https?:)?(/|\\|%2f|%5c){2}`,
      ),
    ),
    fires: [{ target: '/login?next=https://evil.example/' }, { target: '/?redirect_to=//evil.example' }],
    passes: [{ target: '/login?next=/account' }, { target: '/?q=https://example.com' }],
  },
];
