import { findSqlInjection } from '../sqli/index.ts';
import { type Build, built } from './operator.ts';
import { remembering } from './remembering.ts';

/** `@detectSQLi`: the value, put into a statement, would change its structure. Captures the token types. */
export const detectSqli: Build = () =>
  built(
    remembering((text) => {
      const found = findSqlInjection(text);
      return found === undefined ? undefined : [found];
    }),
  );
