import { siteEndpoints } from '@portcullis/contract/api';
import type { InspectionException } from '@portcullis/contract/sites';
import { ApiError, call } from '../api/index.ts';

const attempts = 3;

/**
 * Changes what a site no longer inspects. The change is made to the list as it stands now, and made anew where
 * somebody else saved the site in between, so that neither change is lost.
 * @param change from the stored exceptions to those that are to be stored; undefined: they are right as they are
 * @returns whether anything was stored
 * @throws {ApiError} as the service refused, also where the site changes faster than it can be saved
 */
export async function changeExceptions(
  siteId: string,
  change: (stored: readonly InspectionException[]) => InspectionException[] | undefined,
): Promise<boolean> {
  const params = { id: siteId };
  for (let attempt = 1; ; attempt++) {
    const { exceptions, version } = await call(siteEndpoints.get, { params });
    const wanted = change(exceptions);
    if (!wanted) return false;
    try {
      await call(siteEndpoints.update, { params, body: { exceptions: wanted, version } });
      return true;
    } catch (error) {
      const stale = error instanceof ApiError && error.status === 409;
      if (!stale || attempt === attempts) throw error;
    }
  }
}

/**
 * Stores exceptions of a site, in place of those that cover the same and of the one they replace.
 * @returns false where all of it is there already
 * @throws {ApiError} as {@link changeExceptions}
 */
export function storeExceptions(
  siteId: string,
  made: readonly InspectionException[],
  before?: InspectionException,
): Promise<boolean> {
  const gone = before ? [...made, before] : made;
  return changeExceptions(siteId, (stored) => {
    const [others, old] = [false, true].map((goes) =>
      stored.filter((one) => gone.some((other) => coversSame(one, other)) === goes),
    ) as [InspectionException[], InspectionException[]];
    const there =
      old.length === made.length &&
      made.every((one) => old.some((other) => coversSame(one, other) && says(other, one, before)));
    return there ? undefined : [...others, ...made];
  });
}

/**
 * Whether a stored exception says all that one in its place would: what is added anew without a note keeps the note
 * that is there, and one that ends later or never covers it.
 */
function says(stored: InspectionException, made: InspectionException, edited: unknown): boolean {
  const end = ({ expires_at }: InspectionException) => (expires_at ? Date.parse(expires_at) : Infinity);
  if (edited) return stored.note === made.note && end(stored) === end(made);
  return (made.note === '' || stored.note === made.note) && end(stored) >= end(made);
}

/** @returns whether two exceptions cover the same, whatever their note and their end */
export function coversSame(one: InspectionException, other: InspectionException): boolean {
  const keys = ['rule_id', 'category', 'path', 'parameter', 'method'] as const;
  return keys.every((key) => one[key] === other[key]);
}
