/**
 * Version of what crosses the link: snapshots, batches, reports. It rises with each change that a person who reads the
 * fleet's list should see.
 */
export const linkVersion = 1;

/**
 * The oldest version that this one works with, both ways. A new field that may be missing keeps it; a field that is
 * taken away or must be there, or a new word in a closed list, raises it to the new version, for the other end would
 * refuse the message. Keys on Redis carry it, so that two ends that cannot read each other do not share any.
 */
export const linkCompatibleFrom = 1;

/** What one end of the link speaks. */
export interface LinkSpoken {
  readonly linkVersion: number;
  readonly linkCompatibleFrom: number;
}

/** What this version of the product speaks. */
export const ownLink: LinkSpoken = { linkVersion, linkCompatibleFrom };

/** @returns why two ends cannot work together, from the first one's side; undefined where they can */
export function linkMismatch(other: LinkSpoken, own: LinkSpoken = ownLink): string | undefined {
  const spoken = `speaks version ${other.linkVersion} of the link`;
  if (other.linkCompatibleFrom > own.linkVersion)
    return `It ${spoken}, which needs ${other.linkCompatibleFrom} or newer at the other end; here is ${own.linkVersion}: bring this end up to date`;
  if (other.linkVersion < own.linkCompatibleFrom)
    return `It ${spoken}, which is too old for the ${own.linkCompatibleFrom} or newer that is needed here: bring it up to date`;
  return undefined;
}
