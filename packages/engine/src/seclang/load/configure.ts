import { verbose } from '../../verbose.ts';
import { phaseOf, readMode } from '../program/index.ts';
import { type Directive, parseActions, type SeclangIssue } from '../syntax/index.ts';
import { addAction, addRule, addScript } from './add-rule.ts';
import type { Configuration, RawRule } from './configuration.ts';
import { removeRules, updateActions, updateTargets } from './updates.ts';

type Handler = (directive: Directive, configuration: Configuration) => string | undefined;

const isOn = (word: string | undefined) => word?.toLowerCase() === 'on';

const handlers: ReadonlyMap<string, Handler> = new Map<string, Handler>([
  ['secrule', addRule],
  ['secaction', addAction],
  ['secrulescript', addScript],
  ['secmarker', addMarker],
  ['secdefaultaction', setDefaults],
  ['secruleengine', setEngine],
  ['secrequestbodyaccess', setBodyAccess],
  ['secresponsebodyaccess', setResponseBodyAccess],
  ['seccollectiontimeout', setCollectionTimeout],
  ['secruleremovebyid', (directive, into) => removeRules('id', directive, into)],
  ['secruleremovebytag', (directive, into) => removeRules('tag', directive, into)],
  ['secruleremovebymsg', (directive, into) => removeRules('msg', directive, into)],
  ['secruleupdatetargetbyid', (directive, into) => updateTargets('id', directive, into.items)],
  ['secruleupdatetargetbytag', (directive, into) => updateTargets('tag', directive, into.items)],
  ['secruleupdatetargetbymsg', (directive, into) => updateTargets('msg', directive, into.items)],
  ['secruleupdateactionbyid', (directive, into) => updateActions(directive, into.items)],
]);

/** Directives that say something about the rule set or to ModSecurity's persistence, and ask nothing of us. */
const accepted: ReadonlySet<string> = new Set([
  'seccomponentsignature',
  'secserversignature',
  'secwebappid',
  '<ifmodule',
  '</ifmodule>',
]);

/** Directives about logs, limits, storage and parsing options that the gateway's own settings decide. */
const decidedElsewhere = verbose('i')`
  ^sec(?:
    auditlog\w*|auditengine|debuglog\w*|datadir|tmpdir|tmpsavemodef?|upload\w+|requestbody\w*limit\w*
    |responsebody\w*limit\w*|responsebodymimetype\w*|argumentseparator|argumentslimit|cookieformat
    |cookiev0separator|unicodemapfile|unicodecodepage|statusengine|pcrematchlimit\w*|requestbodyinmemorylimit
    |requestbodyjsondepthlimit|interceptonerror|connengine|chrootdir|geolookupdb|httpblkey|guardianlog
    |disablebackendcompression|contentinjection|streamin\w+|streamout\w+|xmlexternalentity|hash\w+
    |cacheTransformations|conn\w+limit|readstatelimit|writestatelimit|sensor\w*|ruleperftime|parsexmlintoargs
    |tmpsaveuploadedfiles
  )$
`;

/** Carries out directives in order. What is not understood becomes an issue and is left out. */
export function configure(directives: readonly Directive[], issues: SeclangIssue[]): Configuration {
  const configuration: Configuration = {
    items: [],
    defaults: new Map(),
    issues,
    mode: 'on',
    readsBody: true,
    readsResponseBody: true,
    collectionTimeout: 3600,
    openChain: undefined,
    places: new Map(),
  };
  for (const directive of directives) {
    const { name, file, line } = directive;
    const lower = name.toLowerCase();
    const problem = carryOut(lower, directive, configuration);
    if (problem !== undefined) issues.push({ file, line, ...problem });
  }
  dropOpenChain(configuration);
  return configuration;
}

/** A chain whose last link is missing would match more than was meant. */
function dropOpenChain(configuration: Configuration): void {
  const { openChain, items, issues } = configuration;
  configuration.openChain = undefined;
  if (!openChain) return;
  const { file, line } = openChain;
  issues.push({ file, line, level: 'error', message: 'chain: no rule follows to which this one is chained' });
  const last = items.at(-1);
  if (last && 'rule' in last && lastLink(last.rule) === openChain) items.pop();
}

function lastLink(rule: RawRule): RawRule {
  let link = rule;
  while (link.next) link = link.next;
  return link;
}

function carryOut(
  lower: string,
  directive: Directive,
  configuration: Configuration,
): Pick<SeclangIssue, 'level' | 'message'> | undefined {
  if (directive.problem !== undefined) {
    return { level: 'error', message: `${directive.name}: ${directive.problem}` };
  }
  const handler = handlers.get(lower);
  if (handler) {
    const message = handler(directive, configuration);
    return message === undefined ? undefined : { level: 'error', message: `${directive.name}: ${message}` };
  }
  if (accepted.has(lower)) return undefined;
  if (decidedElsewhere.test(lower)) {
    return { level: 'notice', message: `${directive.name} is decided by the gateway's own settings` };
  }
  return { level: 'error', message: `${directive.name} is not supported` };
}

function addMarker({ words }: Directive, configuration: Configuration): undefined {
  dropOpenChain(configuration);
  configuration.items.push({ marker: words[0] ?? '' });
}

function setBodyAccess({ words }: Directive, configuration: Configuration): undefined {
  configuration.readsBody = isOn(words[0]);
}

function setResponseBodyAccess({ words }: Directive, configuration: Configuration): undefined {
  configuration.readsResponseBody = isOn(words[0]);
}

const defaultable =
  /^(?:phase|log|nolog|auditlog|noauditlog|pass|deny|drop|block|allow|redirect|proxy|status|tag|t)$/;

function setDefaults({ words, file, line }: Directive, configuration: Configuration): string | undefined {
  const actions = parseActions(words[0] ?? '');
  const phase = phaseOf(actions.find(({ name }) => name === 'phase')?.value ?? '2');
  if (phase === undefined) return 'it names no phase';
  for (const { name } of actions) {
    const message = `SecDefaultAction: ${name} is not passed on to rules`;
    if (!defaultable.test(name)) configuration.issues.push({ file, line, level: 'notice', message });
  }
  // A new map, since the rules before keep theirs.
  configuration.defaults = new Map(configuration.defaults).set(phase, actions);
  return undefined;
}

function setCollectionTimeout({ words }: Directive, configuration: Configuration): string | undefined {
  const seconds = Number(words[0]);
  if (!(Number.isSafeInteger(seconds) && seconds > 0)) return `"${words[0] ?? ''}" is no number of seconds`;
  configuration.collectionTimeout = seconds;
  return undefined;
}

function setEngine({ words }: Directive, configuration: Configuration): string | undefined {
  const mode = readMode(words[0] ?? '');
  if (!mode) return `"${words[0] ?? ''}" is no mode`;
  configuration.mode = mode;
  return undefined;
}
