import { linkVersion } from '@portcullis/contract/link';

/**
 * Everything that we keep on the server. What gateways must be able to read carries the link's version, so that two
 * versions of the product can share a server while one replaces the other.
 */
export const names = {
  /** hash: `version`, and `sealed`, the snapshot */
  configuration: `portcullis:configuration:${linkVersion}`,
  /** channel: a new version lies there */
  announcements: `portcullis:announcements:${linkVersion}`,
  /** present while somebody watches the live log */
  watched: 'portcullis:watched',
  /** hash: `sealed`, from where the console is in use, and `name`, which tells whether that changed */
  operators: `portcullis:operators:${linkVersion}`,
  /** stream of sealed batches */
  batches: `portcullis:batches:${linkVersion}`,
  /** batches below this entry of the stream are in the database */
  stored: `portcullis:stored:${linkVersion}`,
  /** stream of what no service could read, for a person to look at */
  unreadable: `portcullis:unreadable:${linkVersion}`,
  /** channels: what gateways say of themselves, and what passed while somebody watches */
  reports: `portcullis:reports:${linkVersion}`,
  sightings: `portcullis:sightings:${linkVersion}`,
  /** prefixes, followed by a keyed hash: tokens of a client under a limit, and its blocks of late */
  buckets: 'portcullis:bucket:',
  blocks: 'portcullis:blocks:',
  /** prefix, followed by a keyed hash: present once a thing was used that may be used once */
  used: 'portcullis:used:',
  /** hash and channel: sealed bans, by a keyed hash of whom they are on */
  bans: `portcullis:bans:${linkVersion}`,
  banned: `portcullis:banned:${linkVersion}`,
  /** channel: between services */
  peers: 'portcullis:peers',
} as const;
