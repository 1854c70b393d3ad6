/** The command palette. */
export const palette = {
  title: 'Search',
  placeholder: 'Go to a page, site, user or rule, or find events by request ID or IP',
  results: 'Results',
  groups: { pages: 'Pages', sites: 'Sites', users: 'Users', rules: 'Rules', events: 'Events' },
  configure: (name: string) => `Configure ${name}`,
  protectionOf: (name: string) => `Protection of ${name}`,
  findEvents: (text: string) => `Find events with “${text}”`,
  nothing: 'Nothing found',
  keys: '↑ ↓ to move, Enter to open, Esc to close',
} as const;
