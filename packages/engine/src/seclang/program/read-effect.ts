import { parseTemplate } from '../macros/index.ts';
import { compilePcre } from '../regex/index.ts';
import type { BodyProcessor, EngineMode } from '../state/index.ts';
import { type ActionSyntax, parseTargets } from '../syntax/index.ts';
import { disruptive } from './disruption.ts';
import type { Effect, RuleSelection } from './effect.ts';
import { compileMatcher } from './targets.ts';

/** Known actions that concern ModSecurity's own logs and surroundings, and change no decision. */
const withoutMeaning: ReadonlySet<string> = new Set([
  'accuracy',
  'auditlog',
  'chain',
  'maturity',
  'noauditlog',
  'sanitisearg',
  'sanitisematched',
  'sanitisematchedbytes',
  'sanitiserequestheader',
  'sanitiseresponseheader',
  'setenv',
  'xmlns',
]);

const keptNames: ReadonlySet<string> = new Set(['IP', 'GLOBAL', 'RESOURCE', 'SESSION', 'USER']);

/** `ip.name=value` */
const entryAndValue = /^(\w+)[.:]([^=]+?)\s*=([\s\S]+)$/;

const readElsewhere: ReadonlySet<string> = new Set([
  ...disruptive,
  'id',
  'phase',
  't',
  'multimatch',
  'capture',
  'msg',
  'logdata',
  'tag',
  'severity',
  'rev',
  'ver',
  'log',
  'nolog',
  'status',
  'skip',
  'skipafter',
]);

const readers: Readonly<Record<string, (value: string, problems: string[]) => Effect[]>> = {
  setvar: readSetVar,
  ctl: readControl,
  initcol: readOpening,
  setsid: (value) => [{ kind: 'open', collection: 'SESSION', key: parseTemplate(value) }],
  setuid: (value) => [{ kind: 'open', collection: 'USER', key: parseTemplate(value) }],
  setrsc: (value) => [{ kind: 'open', collection: 'RESOURCE', key: parseTemplate(value) }],
  expirevar: readExpiry,
  deprecatevar: readWaning,
};

/** What one action changes for the rules after it; adds to `problems` what has no meaning. */
export function readEffect({ name, value }: ActionSyntax, problems: string[]): Effect[] {
  const reader = readers[name];
  if (reader) return reader(value, problems);
  if (name === 'proxy') problems.push('proxy is carried out as deny');
  if (!readElsewhere.has(name) && !withoutMeaning.has(name)) {
    problems.push(`the action ${name} is not supported and left out`);
  }
  return [];
}

function readOpening(value: string, problems: string[]): Effect[] {
  const found = /^\s*(\w+)\s*=([\s\S]+)$/.exec(value);
  const collection = (found?.[1] ?? '').toUpperCase();
  if (!found || !keptNames.has(collection)) {
    problems.push(`initcol:${value} names no collection that is kept`);
    return [];
  }
  return [{ kind: 'open', collection, key: parseTemplate(found[2] ?? '') }];
}

function readExpiry(value: string, problems: string[]): Effect[] {
  const found = entryAndValue.exec(value.trim());
  if (!found) {
    problems.push(`expirevar:${value} names no variable and no time`);
    return [];
  }
  const [, collection = '', key = '', time = ''] = found;
  return [
    {
      kind: 'expire',
      collection: collection.toUpperCase(),
      key: parseTemplate(key),
      seconds: parseTemplate(time),
    },
  ];
}

function readWaning(value: string, problems: string[]): Effect[] {
  const found = entryAndValue.exec(value.trim());
  const [by = 0, everySeconds = 0] = (found?.[3] ?? '').split('/').map(Number);
  if (!found || !(by > 0 && everySeconds > 0)) {
    problems.push(`deprecatevar:${value} says no amount and no time, as in ip.score=60/300`);
    return [];
  }
  const [, collection = '', key = ''] = found;
  return [{ kind: 'wane', collection: collection.toUpperCase(), key: parseTemplate(key), by, everySeconds }];
}

function readSetVar(value: string, problems: string[]): Effect[] {
  const found = /^(!?)\s*(\w+)[.:]([^=]+?)\s*(?:=([+-]?)([\s\S]*))?$/.exec(value.trim());
  if (!found) {
    problems.push(`setvar:${value} names no variable of a collection`);
    return [];
  }
  const [, unset, collection, key, sign, text] = found;
  const name = (collection ?? '').toUpperCase();
  if (name !== 'TX' && !keptNames.has(name)) {
    problems.push(`setvar:${value} names no collection that rules can write`);
    return [];
  }
  const plain = sign === '+' ? 'add' : sign === '-' ? 'subtract' : 'assign';
  return [
    {
      kind: 'set',
      collection: name,
      key: parseTemplate(key ?? ''),
      operation: unset ? 'delete' : plain,
      value: parseTemplate(text ?? '1'),
    },
  ];
}

const modes: Readonly<Record<string, EngineMode>> = {
  on: 'on',
  off: 'off',
  detectiononly: 'detection-only',
};

/** ModSecurity's word for a mode of the engine (`On`, `Off`, `DetectionOnly`), in any case. */
export function readMode(word: string): EngineMode | undefined {
  return modes[word.trim().toLowerCase()];
}

const processors: ReadonlySet<string> = new Set(['URLENCODED', 'MULTIPART', 'XML', 'JSON']);
const isProcessor = (name: string): name is BodyProcessor => processors.has(name);

/** Controls of ModSecurity's logs, which change no decision. */
const controlsElsewhere: ReadonlySet<string> = new Set(['auditengine', 'auditlogparts', 'debugloglevel']);

function readControl(value: string, problems: string[]): Effect[] {
  const equals = value.indexOf('=');
  const name = value.slice(0, Math.max(equals, 0)).trim().toLowerCase();
  const argument = value.slice(equals + 1).trim();
  if (name === 'ruleengine') {
    const mode = readMode(argument);
    if (mode) return [{ kind: 'engine', mode }];
  }
  if (name === 'requestbodyprocessor') {
    const processor = argument.toUpperCase();
    if (isProcessor(processor)) return [{ kind: 'processor', processor }];
  }
  if (name === 'requestbodyaccess') return [{ kind: 'body', on: /^on$/i.test(argument) }];
  if (name === 'forcerequestbodyvariable') return [{ kind: 'force-body', on: /^on$/i.test(argument) }];
  const removal = /^ruleremove(target)?by(id|tag|msg)$/.exec(name);
  if (removal) return readRemoval(removal[1] !== undefined, removal[2] ?? '', argument, problems);
  if (!controlsElsewhere.has(name)) problems.push(`ctl:${value} is not supported and left out`);
  return [];
}

function readRemoval(ofTarget: boolean, by: string, argument: string, problems: string[]): Effect[] {
  const split = ofTarget ? argument.indexOf(';') : argument.length;
  const which = readSelection(by, argument.slice(0, split < 0 ? argument.length : split));
  if (!which) {
    problems.push(`"${argument}" selects no rules`);
    return [];
  }
  if (!ofTarget) return [{ kind: 'remove-rules', which }];
  return parseTargets(argument.slice(split + 1)).flatMap((syntax): Effect[] => {
    const target = compileMatcher(syntax);
    if (!target) problems.push(`the selector of ${syntax.variable} can't be translated`);
    return target ? [{ kind: 'remove-target', which, target }] : [];
  });
}

/** Reads `942100 942200-942290` (by id) or a pattern (by tag, by message); undefined where it is neither. */
export function readSelection(by: string, text: string): RuleSelection | undefined {
  if (by === 'id') {
    const words = text.split(/[\s,]+/).filter((word) => word !== '');
    const ranges = words.map((word) => /^"?(\d+)(?:-(\d+))?"?$/.exec(word));
    if (words.length === 0 || ranges.includes(null)) return undefined;
    return {
      by,
      ranges: ranges.map((found) => [Number(found?.[1]), Number(found?.[2] ?? found?.[1])] as const),
    };
  }
  const compiled = compilePcre(text);
  if (!compiled.ok) return undefined;
  return { by: by === 'tag' ? 'tag' : 'message', pattern: compiled.pattern };
}
