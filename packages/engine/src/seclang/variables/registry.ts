import { argumentVariables } from './arguments.ts';
import type { VariableReader } from './reader.ts';
import { requestVariables } from './request.ts';
import { bodyVariables } from './request-body.ts';
import { responseVariables } from './response.ts';
import { stateVariables } from './rule-state.ts';
import { surroundingVariables } from './surroundings.ts';

const readers = new Map<string, VariableReader>(
  [
    requestVariables,
    argumentVariables,
    bodyVariables,
    responseVariables,
    surroundingVariables,
    stateVariables,
  ].flatMap((group) => Object.entries(group)),
);

/**
 * Variables that name what only a web server or a database of its own has (its error log, its files on disk,
 * a map of addresses). They have no members here.
 */
const absent: ReadonlySet<string> = new Set([
  'GEO',
  'MODSEC_BUILD',
  'PERF_ALL',
  'PERF_COMBINED',
  'REMOTE_USER',
  'SCRIPT_BASENAME',
  'SCRIPT_FILENAME',
  'SCRIPT_GID',
  'SCRIPT_GROUPNAME',
  'SCRIPT_MODE',
  'SCRIPT_UID',
  'SCRIPT_USERNAME',
  'SDBM_DELETE_ERROR',
  'STREAM_INPUT_BODY',
  'STREAM_OUTPUT_BODY',
  'WEBAPPID',
  'WEBSERVER_ERROR_LOG',
]);

const nothing: VariableReader = { members: () => [] };

/** How a variable is read; undefined when there is none of that name (upper case). */
export function findVariable(name: string): VariableReader | undefined {
  return readers.get(name) ?? (absent.has(name) ? nothing : undefined);
}

/** Whether a variable (upper case) is known and never has a member here. */
export function isAbsent(name: string): boolean {
  return absent.has(name);
}
