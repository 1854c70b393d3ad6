import { type Build, built, whole } from './operator.ts';

/** `@unconditionalMatch` */
export const unconditionalMatch: Build = () => built(whole);

/** `@noMatch` */
export const noMatch: Build = () => built(() => undefined);

/**
 * Operators that ask something outside the request (a name server, a map of addresses, a scanner program).
 * The engine does no I/O, so they never match, and loading says so.
 */
export const askingOutside: Build = () => ({
  ok: true,
  built: { test: () => undefined },
  notice: 'asks something outside the request, so it never matches here',
});
