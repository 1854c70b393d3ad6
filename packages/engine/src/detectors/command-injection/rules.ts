import type { Rule } from '../../rules/index.ts';
import { besideToldProcesses } from '../define.ts';
import { codeRules } from './code-rules.ts';
import { deserializationRules } from './deserialization-rules.ts';
import { shellRules } from './shell-rules.ts';
import { templateRules } from './template-rules.ts';

/** Whatever makes the server run what the client sent: shells, code, templates, serialised objects. */
export const commandInjectionRules: readonly Rule[] = [
  ...besideToldProcesses(shellRules),
  ...codeRules,
  ...templateRules,
  ...deserializationRules,
];
