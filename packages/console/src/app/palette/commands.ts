import type { Site } from '@portcullis/contract/sites';
import type { User } from '@portcullis/contract/users';
import { messages } from '../../lib/messages/index.ts';
import { siteLabel } from '../../lib/queries/index.ts';

const words = messages.palette;

/** Where a result leads. */
export interface Command {
  id: string;
  group: keyof typeof words.groups;
  label: string;
  /** beside the label: a domain, a role, the site of a rule */
  note?: string;
  to: string;
  search: Record<string, string>;
}

/** What the palette knows. */
export interface Known {
  pages: readonly { to: string; label: string }[];
  sites: readonly Site[];
  users: readonly User[];
  rules: readonly { id: string; name: string; site: Site }[];
  mayFindEvents: boolean;
}

const perGroup = 6;

/** @returns what fits the text, the best first within each group; with no text the pages alone */
export function findCommands(known: Known, text: string): Command[] {
  const needle = text.trim().toLowerCase();
  const pages = known.pages.map(
    (page): Command => ({ id: page.to, group: 'pages', label: page.label, to: page.to, search: {} }),
  );
  if (needle === '') return pages;
  return [
    ...best(pages, needle),
    ...best(known.sites.flatMap(siteCommands), needle),
    ...best(known.rules.map(ruleCommand), needle),
    ...best(known.users.map(userCommand), needle),
    ...(known.mayFindEvents ? [eventCommand(text.trim())] : []),
  ];
}

function best(commands: Command[], needle: string): Command[] {
  return commands
    .map((command) => ({ command, rank: rankOf(command, needle) }))
    .filter(({ rank }) => rank < Number.POSITIVE_INFINITY)
    .sort((a, b) => a.rank - b.rank)
    .slice(0, perGroup)
    .map(({ command }) => command);
}

/** Earlier in the label is better; a hit in the note alone comes after every hit in a label. */
function rankOf(command: Command, needle: string): number {
  const inLabel = command.label.toLowerCase().indexOf(needle);
  if (inLabel >= 0) return inLabel;
  const inNote = command.note?.toLowerCase().indexOf(needle) ?? -1;
  return inNote >= 0 ? 1000 + inNote : Number.POSITIVE_INFINITY;
}

function siteCommands(site: Site): Command[] {
  const note = site.domains.join(' ') || siteLabel(site);
  const search = { site: site.id };
  return [
    { id: `site ${site.id}`, group: 'sites', label: words.configure(site.name), note, to: '/sites', search },
    {
      id: `protection ${site.id}`,
      group: 'sites',
      label: words.protectionOf(site.name),
      note,
      to: '/protection',
      search,
    },
  ];
}

const ruleCommand = (rule: Known['rules'][number]): Command => ({
  id: `rule ${rule.site.id} ${rule.id}`,
  group: 'rules',
  label: rule.name,
  note: rule.site.name,
  to: '/protection',
  search: { site: rule.site.id },
});

const userCommand = (user: User): Command => ({
  id: `user ${user.id}`,
  group: 'users',
  label: user.email,
  note: user.role,
  to: '/users',
  search: {},
});

const eventCommand = (text: string): Command => ({
  id: 'events',
  group: 'events',
  label: words.findEvents(text),
  to: '/logs',
  search: { view: 'history', q: text },
});
