const namedLines = 10;

/** A pasted feed has its mistakes named at once, not one a try. */
function otherLines(others: readonly number[]): string {
  if (others.length === 0) return '';
  const rest = others.length > namedLines ? ` and ${others.length - namedLines} more` : '';
  return `; nor ${others.length === 1 ? 'is line' : 'are lines'} ${others.slice(0, namedLines).join(', ')}${rest}`;
}

/** Lists of addresses that are always let in or always refused. */
export const access = {
  title: 'Address Lists',
  subtitle: 'Addresses and networks that are always let in or always refused',
  add: 'Add List',
  loadFailed: 'Address lists could not be loaded',
  none: 'No address lists yet',
  noneText:
    'A block list refuses its addresses before anything else is looked at; an allow list lets them past.',
  columns: {
    name: 'Name',
    action: 'Action',
    site: 'Where',
    entries: 'Addresses',
    state: 'State',
    acts: 'Actions',
  },
  actions: { block: 'Block', allow: 'Allow' },
  ends: (count: number) => (count === 1 ? '1 until' : `${count} end, the first`),
  everySite: 'Every site',
  oneSite: 'One site',
  unknownSite: 'A deleted site',
  on: 'On',
  off: 'Off',
  edit: 'Edit',
  editOf: (name: string) => `Edit list ${name}`,
  remove: 'Delete list',
  removeOf: (name: string) => `Delete list ${name}`,
  removeTitle: (name: string) => `Delete list ${name}?`,
  removeText: (count: string) => `Its addresses (${count}) are treated like all others again.`,
  removed: 'Address list deleted',
  removeFailed: 'Failed to delete the address list',
  bans: {
    title: 'Bans in Force',
    note: 'Whoever is blocked again and again is refused on every site for a while',
    some: (total: string) => `The newest of ${total}`,
    loadFailed: 'Bans could not be loaded',
    none: 'Nobody is banned now',
    noneText: 'When repeated blocks ban an address, it stands here with the reason until the ban ends.',
    columns: { address: 'Address', since: 'Since', until: 'Until', reason: 'Why', events: 'Events' },
    events: 'Its events',
    lift: 'Lift',
    liftOf: (address: string) => `Lift the ban of ${address}`,
    lifted: (address: string) => `${address} is let in again`,
    liftFailed: 'Failed to lift the ban',
  },
  form: {
    addTitle: 'Add Address List',
    editTitle: 'Edit Address List',
    create: 'Create List',
    update: 'Update List',
    saving: 'Saving...',
    created: 'Address list created',
    updated: 'Address list updated',
    saveFailed: 'Failed to save the address list',
    name: 'Name',
    action: 'What happens to these addresses',
    site: 'Where',
    enabled: 'In force',
    entries: 'Addresses and networks',
    entriesHelp:
      'One a line, such as 192.0.2.7, 192.0.2.0/24 or 2001:db8::/32. What follows # or ; is a remark and is not kept. Where a block and an allow list both name one, allow counts.',
    temporary: {
      label: 'Addresses for a while',
      help: 'They end by themselves, on every gateway at that time.',
      lifetime: 'For how long',
      lifetimes: { hour: '1 hour', day: '1 day', week: '7 days', month: '30 days' },
      add: 'Add address',
      bad: (text: string) => `"${text}" is neither an address nor a network`,
      until: 'until',
    },
    fed: (count: string, id: string) =>
      `${count} addresses: too many for a field, so they stay as they are here. PUT /api/access/lists/${id}/entries replaces them by a text.`,
    badLine: (line: number, text: string, others: readonly number[]) =>
      `Line ${line}, "${text}", is neither an address nor a network${otherLines(others)}`,
  },
} as const;
