import { findCrossSiteScripting } from '../xss/index.ts';
import { type Build, built } from './operator.ts';

/** `@detectXSS`: the value, put into a page, would run script. Captures what was found. */
export const detectXss: Build = () =>
  built((text) => {
    const found = findCrossSiteScripting(text);
    return found === undefined ? undefined : [found];
  });
