interface Consequence {
  subjects: string;
  /** the parameters it is about; undefined for all */
  where: string | undefined;
  method: string | undefined;
  path: string;
  site: string;
  lifetime: string | undefined;
}

/** `a`, `a and b`, `a, b and c`. */
const listed = (texts: readonly string[]): string =>
  texts.length < 2 ? texts.join('') : `${texts.slice(0, -1).join(', ')} and ${texts.at(-1)}`;

/** Security logs: live stream, filters, event detail. */
export const logs = {
  title: 'Security Logs',
  subtitle: 'What the gateway decided, as it happens',
  connected: 'Connected',
  disconnected: 'Disconnected',
  connecting: 'Connecting...',
  paused: 'Paused',
  totalEvents: 'Total Events',
  errors: 'Errors',
  warnings: 'Warnings',
  info: 'Info',
  pause: 'Pause',
  resume: 'Resume',
  export: 'Export',
  clear: 'Clear',
  filters: 'Filters',
  search: 'Search',
  searchPlaceholder: 'Message, path, IP, rule or request ID',
  level: 'Log level',
  levels: { all: 'All', error: 'Errors', warning: 'Warnings', info: 'Info', debug: 'Debug' },
  withoutDebug: 'All but ordinary traffic',
  levelBadges: {
    critical: 'Critical',
    error: 'Error',
    warning: 'Warning',
    info: 'Info',
    debug: 'Debug',
  } as Record<string, string>,
  site: 'Site',
  allSites: 'All sites',
  clearFilters: 'Clear filters',
  tokenMissing: 'Authentication token missing',
  reconnecting: 'Connection lost - attempting to reconnect...',
  waiting: 'Waiting for events',
  waitingText: 'Blocked, challenged and logged requests appear here within a second.',
  noMatch: 'No event matches these filters',
  pausedText: 'Paused. What comes meanwhile is shown on Resume, as far as it is kept.',
  gap: 'More came while there was no connection than fits here.',
  gapLink: 'See the history',
  missed: (count: string) => `${count} events came faster than they could be shown`,
  newEvents: (count: string) => `Show ${count} new ${count === '1' ? 'event' : 'events'}`,
  held: {
    pointed: 'Stands still under the pointer. Goes on when it leaves, or has not moved for 20 s.',
    focused: 'Stands still while a row has the focus. Goes on when the focus leaves the list.',
    scrolled: 'Stands still while scrolled down. Goes on at the top.',
  },
  list: 'Live events, newest first',
  shown: (shown: string, total: string) => `${shown} of ${total} shown`,
  columns: { time: 'Time', action: 'Action', message: 'Message', client: 'Client', site: 'Site' },
  /** above rows of two lines */
  liveColumns: ['Time', 'Level', 'Message and request', 'Client and site'],
  views: { label: 'What to show', live: 'Live', history: 'History', admin: 'Admin actions' },
  admin: {
    title: 'Admin actions',
    failed: 'Admin actions are unavailable',
    nothing: 'No admin action yet',
    whole: 'The chain of entries is whole',
    broken: (id: string) => `The chain of entries is broken at ${id}: an entry was changed or removed`,
    check: 'Check all entries',
    checking: 'Checking...',
    checked: (count: string) => `All ${count} entries fit`,
    checkFailed: 'The entries could not be checked',
    columns: { time: 'Time', actor: 'Who', ip: 'From', action: 'Action', message: 'What changed' },
    older: 'Show older actions',
  },
  history: {
    title: 'Event history',
    range: 'Stretch of time',
    ranges: {
      hour: 'Last hour',
      day: 'Last 24 hours',
      week: 'Last 7 days',
      month: 'Last 30 days',
      all: 'All',
    },
    failed: 'Event history is unavailable',
    nothing: 'No stored event fits',
    nothingText: 'Widen the stretch of time or clear a filter.',
    older: 'Show older events',
    partial: 'Not everything was searched yet.',
    searchedTo: 'Searched so far: back to',
    further: 'Search further back',
    stop: 'Stop searching',
    chosenSpan: 'Chosen span',
    chips: 'Further filters',
    keys: {
      from: 'From',
      to: 'To',
      action: 'Action',
      category: 'Category',
      ip: 'Client',
      path: 'Path',
      rule: 'Rule',
      status: 'Status',
    },
    facets: 'Most frequent',
    facetNames: { category: 'Top categories', rule: 'Top rules', ip: 'Top clients', path: 'Top paths' },
    exportCsv: 'Export CSV',
    exportJson: 'Export JSON',
    exporting: 'Exporting...',
    exportFailed: 'Failed to export events',
  },
  detail: {
    title: 'Event',
    when: 'Time',
    decision: 'Decision',
    client: 'Client',
    site: 'Site',
    request: 'Request',
    status: 'Status',
    rule: 'Rule',
    /** lead from one event to those like it */
    allFrom: 'All from this address',
    allByRule: 'All by this rule',
    category: 'Category',
    score: 'Score',
    reached: (score: string, threshold: string, sensitivity: string) =>
      `${score}; ${sensitivity} sensitivity acts from ${threshold}`,
    reachedIn: (category: string, reached: string) => `${category}: score ${reached}`,
    inAll: (score: string) => `${score} in all categories`,
    requestId: 'Request ID',
    userAgent: 'User agent',
    actor: 'By',
    code: 'Action code',
    count: 'Repeated',
    times: (count: string) => `${count} times`,
    why: 'Why it matched',
    facts: 'Details',
    further: (count: number) => `${count} more ${count === 1 ? 'match' : 'matches'}`,
    where: 'Where',
    value: 'Decoded value',
    transformations: 'Transformations',
    noTransformations: 'Matched as sent',
    noMatches: 'This entry carries no matched value.',
    raw: 'Copy as JSON',
    tryIt: 'Test this request',
    severity: 'Severity',
  },
  allow: {
    open: 'Allow this',
    title: 'Allow this',
    submit: 'Allow',
    saving: 'Saving...',
    saved: 'Allowed. Requests like this pass from now on',
    already: 'Already allowed. Nothing was changed',
    saveFailed: 'Failed to save the exception',
    what: 'No longer checked',
    whatRules: 'Rules that matched',
    whatCategories: 'Whole categories',
    rules: (ids: readonly string[]) => `${ids.length === 1 ? 'rule' : 'rules'} ${listed(ids)}`,
    allRulesOf: (category: string) => `all ${category} rules`,
    listed,
    path: 'Path',
    pathHelp:
      'Exact, or a beginning that ends in *; a segment that is * stands for any one, as in /users/*/notes. Empty counts everywhere.',
    pathStart: 'The path starts with /',
    quoted: (name: string) => `“${name}”`,
    onlyParameters: (names: string) => `Only in ${names}`,
    onlyMethod: (method: string) => `Only for ${method} requests`,
    lifetime: 'How long',
    lifetimes: { never: 'Until removed', hour: 'For 1 hour', day: 'For 24 hours', month: 'For 30 days' },
    note: 'Note',
    noteHelp: 'Why it is harmless, for whoever finds this later',
    liftBan: (address: string, until: string) => `Lift the ban of ${address} too, which lasts until ${until}`,
    consequence: ({ subjects, where, method, path, site, lifetime }: Consequence) => {
      const place = where === undefined ? 'anywhere in' : `in ${where} of`;
      const requests = `${method === undefined ? '' : `${method} `}requests`;
      const target =
        path === ''
          ? ''
          : path.endsWith('*')
            ? ` to paths that start with ${path.slice(0, -1)}`
            : ` to ${path}`;
      const end = lifetime === undefined ? '' : `, ${lifetime}`;
      return `On ${site}, ${subjects} will no longer be checked ${place} ${requests}${target}${end}. All else is inspected as before.`;
    },
  },
  /** lead from an event to where what decided it is set */
  mend: {
    rateLimit: 'Open the rate limit',
    limitOfAll: 'Open the limits of all sites',
    ban: 'See the bans',
    list: 'Open the address list',
    rule: 'Open the rule',
    challenge: 'Open the bot protection',
    answers: 'Open the checks of answers',
    failures: 'Open what cannot be inspected',
    protocol: 'Open connections and proxies',
    maintenance: 'Open the maintenance mode',
  },
  block: {
    open: 'Block this address',
    title: (address: string) => `Block ${address}`,
    text: 'Every further request from this address is refused, until it is taken off the list again.',
    scope: 'Where',
    onSite: (site: string) => `On ${site} only`,
    onAll: 'On every site',
    submit: 'Block address',
    saving: 'Saving...',
    listName: 'Blocked from the log',
    saved: (address: string) => `${address} is blocked from now on`,
    saveFailed: 'Failed to block the address',
  },
} as const;
