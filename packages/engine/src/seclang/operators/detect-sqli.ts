import { findSqlInjection } from '../sqli/index.ts';
import { type Build, built } from './operator.ts';

/** `@detectSQLi`: the value, put into a statement, would change its structure. Captures the token types. */
export const detectSqli: Build = () =>
  built((text) => {
    const found = findSqlInjection(text);
    return found === undefined ? undefined : [found];
  });
