import { linkCompatibleFrom } from '@portcullis/contract/link';

/**
 * Everything that we keep on the server. What the other end must be able to read carries the oldest version of the link
 * that it is read by, so that versions that work together share it, and others do not spoil it for each other.
 */
export const names = {
  /** hash: `version`, and `sealed`, the snapshot */
  configuration: `portcullis:configuration:${linkCompatibleFrom}`,
  /** what services speak, `version compatible-from`, whatever a gateway speaks */
  link: 'portcullis:link',
  /** channel: a new version lies there */
  announcements: `portcullis:announcements:${linkCompatibleFrom}`,
  /** present while somebody watches the live log */
  watched: 'portcullis:watched',
  /** hash: `sealed`, from where the console is in use, and `name`, which tells whether that changed */
  operators: `portcullis:operators:${linkCompatibleFrom}`,
  /** stream of sealed batches */
  batches: `portcullis:batches:${linkCompatibleFrom}`,
  /** batches below this entry of the stream are in the database */
  stored: `portcullis:stored:${linkCompatibleFrom}`,
  /** names what the stream remembers: another name, and what gateways appended before may be lost */
  memory: `portcullis:memory:${linkCompatibleFrom}`,
  /** stream of what no service could read, for a person to look at */
  unreadable: `portcullis:unreadable:${linkCompatibleFrom}`,
  /** channels: what gateways say of themselves, and what passed while somebody watches */
  reports: `portcullis:reports:${linkCompatibleFrom}`,
  /** pattern: those of gateways that speak another link too */
  allReports: 'portcullis:reports:*',
  sightings: `portcullis:sightings:${linkCompatibleFrom}`,
  /** prefixes, followed by a keyed hash: tokens of a client under a limit, and its blocks of late */
  buckets: 'portcullis:tokens:',
  blocks: 'portcullis:blocks:',
  /** prefix, followed by a keyed hash: present once a thing was used that may be used once */
  used: 'portcullis:used:',
  /**
   * hash and channel: sealed bans with their ids, by a keyed hash of whom they are on. `bans` and `banned` are those of
   * gateways whose bans have no ids
   */
  bans: `portcullis:bans-with-ids:${linkCompatibleFrom}`,
  banned: `portcullis:banned-with-ids:${linkCompatibleFrom}`,
  /** channel: between services */
  peers: 'portcullis:peers',
} as const;
