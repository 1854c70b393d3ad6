import type { Part } from '../parse/index.ts';
import type { Detector, Gate, Rule, StructureCheck, Target } from '../rules/index.ts';
import type { InspectedCategory, Sensitivity, Severity } from '../vocabulary.ts';

/** Every part that an application may read as an argument. */
export const argumentParts = [
  'query',
  'form',
  'json',
  'xml',
  'multipart',
  'cookie',
  'header',
  'body',
] as const satisfies readonly Part[];

/** Arguments and the path. */
export const anywhere: readonly Part[] = [...argumentParts, 'path', 'filename'];

/** What applications take as an argument out of the request's head: short values, where nobody writes. */
export const headParts: readonly Part[] = ['query', 'cookie', 'header', 'path', 'filename'];
/** What the body carries: here people also send texts, code and whole documents. */
export const bodyParts: readonly Part[] = ['form', 'json', 'xml', 'multipart', 'body'];

/** Lines of the program around each frame of a stack, as error trackers send them (Sentry, Stack Trace Interface). */
export const sourceLines = /\.frames\.\d{1,4}\.(?:context_line|(?:pre|post)_context\.\d{1,3})$/;
/** Where the frame's program lies on the server that sent it. */
export const sourceFiles = /\.frames\.\d{1,4}\.(?:abs_path|filename|module)$/;

/**
 * What is asked of a language model, and what tools told it: people paste programs there, and no server runs them.
 * The APIs of OpenAI (`messages.0.content`, `input.0.content.0.text`), Anthropic, Gemini (`contents.0.parts.0.text`), the
 * AI SDK (`messages.0.parts.0.text`) and Ollama (`prompt`).
 */
export const turnsOfTalk =
  /(?:^|\.)(?:messages|input|contents|history)\.\d{1,4}\.(?:content|text|parts\.\d{1,3}(?:\.text)?)(?:\.\d{1,3}\.(?:text|content(?:\.\d{1,3}\.text)?))?$/;
/** The same, and the one question of simpler interfaces. */
export const askedOfModels = new RegExp(`${turnsOfTalk.source}|^(?:prompt|suffix|system)$`);

/**
 * Programs that an interface takes to show, keep or judge them: cells of a notebook (nbformat), blocks of code of an editor
 * (Editor.js), answers to an exercise.
 */
export const shownPrograms =
  /(?:^|\.)(?:cells\.\d{1,4}\.source(?:\.\d{1,4})?|blocks\.\d{1,4}\.data\.code)$|^typed_code$/;

const notPath = new RegExp(`${sourceLines.source}|${askedOfModels.source}|${shownPrograms.source}`);

/** The rules, without what they would say of those lines and of what is asked of a language model. */
export function besideShownPrograms(rules: readonly Rule[]): readonly Rule[] {
  return rules.map((rule) => ({
    ...rule,
    targets: rule.targets.map((target) =>
      target.part === 'json' && target.path === undefined && target.notPath === undefined
        ? { ...target, notPath }
        : target,
    ),
  }));
}

/**
 * Programs that ran on a host and how they were called, as agents tell of them: the Elastic Common Schema (`process.command_line`)
 * and the events of Windows (Winlogbeat, `winlog.event_data.CommandLine`).
 */
const toldProcesses =
  /(?:^|\.)(?:process\.(?:parent\.){0,2}(?:command_line|args\.\d{1,3}|executable|working_directory|title)|winlog\.event_data\.\w{1,60})$/;

/**
 * The rules, without what they would say of those: detectors, which ask for a name only where they found something, and what is
 * looked for on Windows. A name is dear to ask for where a rule is opened often.
 */
export function besideToldProcesses(rules: readonly Rule[]): readonly Rule[] {
  return rules.map((rule) =>
    rule.operator.kind === 'detect' || /windows|powershell|interpreter/.test(rule.id)
      ? {
          ...rule,
          targets: rule.targets.map((target) =>
            target.part === 'json' ? { ...target, notPath: either(target.notPath, toldProcesses) } : target,
          ),
        }
      : rule,
  );
}

function either(one: RegExp | undefined, other: RegExp): RegExp {
  return one ? new RegExp(`${one.source}|${other.source}`, one.flags) : other;
}

interface RuleBase {
  readonly id: string;
  /** what was found, in words for an operator, without the category's name */
  readonly message: string;
  readonly category: InspectedCategory;
  /** strong evidence runs always; a rule that may blame a sentence or a snippet asks for medium or high */
  readonly sensitivity?: Sensitivity;
  /** 5 blocks alone, 3 only together with another or at high sensitivity, 2 at high together with another */
  readonly score?: number;
  readonly severity?: Severity;
  readonly parts?: readonly Part[];
  readonly targets?: readonly Target[];
  readonly gate?: Gate;
}

function base(of: RuleBase): Omit<Rule, 'operator'> {
  return {
    id: of.id,
    message: of.message,
    phase: 2,
    targets: of.targets ?? (of.parts ?? anywhere).map((part) => ({ part })),
    transformations: ['unfold'],
    category: of.category,
    severity: of.severity ?? 'high',
    score: of.score ?? 5,
    sensitivity: of.sensitivity ?? 'low',
    ...(of.gate && { gate: of.gate }),
  };
}

/** A rule that a regular expression decides. The gate is taken from the expression unless given. */
export function patternRule(of: RuleBase & { readonly pattern: RegExp }): Rule {
  return { ...base(of), operator: { kind: 'pattern', pattern: of.pattern } };
}

/** A rule for one kind of a detector's findings. */
export function detectRule(of: RuleBase & { readonly detector: Detector; readonly finding: string }): Rule {
  return { ...base(of), operator: { kind: 'detect', detector: of.detector, finding: of.finding } };
}

/** A rule about the request's form. */
export function structureRule(of: RuleBase & { readonly check: StructureCheck }): Rule {
  return { ...base(of), transformations: [], operator: { kind: 'structure', check: of.check } };
}
