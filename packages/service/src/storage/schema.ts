import type { ColumnType, Generated } from 'kysely';
import type { SumColumn } from './migrations/column-types.ts';

/**
 * The tables of both dialects. Times are Unix milliseconds, booleans 0 or 1, JSON is text that the reader parses
 * with its schema.
 */
export interface Database {
  meta: MetaTable;
  settings: SettingsTable;
  users: UsersTable;
  sessions: SessionsTable;
  api_tokens: ApiTokensTable;
  notifications: NotificationsTable;
  stream_tickets: StreamTicketsTable;
  setup_tokens: SetupTokensTable;
  login_attempts: LoginAttemptsTable;
  sites: SitesTable;
  site_domains: SiteDomainsTable;
  config_versions: ConfigVersionsTable;
  config_objects: ConfigObjectsTable;
  config_pieces: ConfigPiecesTable;
  admin_audit: AdminAuditTable;
  alerts: AlertsTable;
  leases: LeasesTable;
  fleet_members: FleetMembersTable;
  bans: BansTable;
  event_days: EventDaysTable;
  event_classes: EventClassesTable;
  event_batches: EventBatchesTable;
  traffic_minute: TrafficTable;
  traffic_hour: TrafficTable;
  traffic_total: TrafficTotalTable;
  /** the shape of each day's table; real ones are named by the day */
  events_of_day: EventsTable;
}

/** Single values: the configuration version, the head of the audit chain. */
export interface MetaTable {
  key: string;
  value: string;
}

/** Who does what only one service at a time may do. Times are the database's own, Unix milliseconds. */
export interface LeasesTable {
  name: string;
  /** of one run of a service */
  holder: string;
  expires_at: number;
}

/** What a gateway or service last said of itself. */
export interface FleetMembersTable {
  id: string;
  /** Unix milliseconds, by the database's clock on PostgreSQL */
  seen_at: number;
  /** JSON of fleet's FleetRecord */
  body: string;
}

/** A client that gateways serve nothing for a while. */
export interface BansTable {
  id: string;
  /** an address, or the /64 of IPv6 that counts as one client */
  address: string;
  /** whose request began it */
  client_ip: string;
  site_id: string | null;
  reason: string;
  since: number;
  ends_at: number;
  /** null while it is in force */
  lifted_at: number | null;
}

/** Settings by noun: `general`, `security`, `notifications`, and sealed secrets. */
export interface SettingsTable {
  key: string;
  value: string;
  updated_at: number;
}

export interface UsersTable {
  id: string;
  /** lower case */
  email: string;
  display_name: Generated<string>;
  role: string;
  /** PHC string of argon2id */
  password_hash: string;
  disabled: Generated<number>;
  /** sealed; set once 2FA is on */
  totp_secret: string | null;
  /** sealed; set while 2FA is being set up */
  totp_pending: string | null;
  /** last time step whose code was used, so that a code works once */
  totp_last_step: number | null;
  /** JSON list of hashes, one taken out with each use */
  backup_codes: Generated<string>;
  /** JSON of the contract's Preferences */
  preferences: Generated<string>;
  created_at: number;
  updated_at: number;
  last_login_at: number | null;
}

export interface SessionsTable {
  id: string;
  user_id: string;
  created_at: number;
  last_seen_at: number;
  /** the end however much it is used */
  expires_at: number;
  ip: string;
  user_agent: string;
  /** of earlier versions, which asked for 2FA at the sign-in alone; the account says whether it has it */
  totp_setup: Generated<number>;
}

export interface ApiTokensTable {
  id: string;
  user_id: string;
  name: string;
  /** JSON list of permission strings */
  permissions: string;
  /** the first characters of the token, to tell one from another */
  prefix: string;
  /** SHA-256 of the token */
  hash: string;
  created_at: number;
  /** null: until it is revoked */
  expires_at: number | null;
  last_used_at: number | null;
}

/** One message to one channel. */
export interface NotificationsTable {
  id: string;
  time: number;
  /** `attacks`, `site_down`, … */
  event: string;
  /** `email`, `slack` or `webhook` */
  channel: string;
  /** what messages of the same matter share, such as `site:site_1` */
  topic: string;
  /** `critical`, `warning`, `info`, `ok` */
  level: Generated<string>;
  /** the one site that it is about, with its name at that time */
  site_id: string | null;
  site_name: string | null;
  /** of the console's screen that shows it; null where an older release stored the message */
  path: string | null;
  subject: string;
  /** JSON list */
  lines: string;
  /** how often the matter came up while this waited */
  occurrences: Generated<number>;
  /** `held`, `retrying`, `sent`, `failed` */
  status: string;
  attempts: Generated<number>;
  /** when the next attempt is due; null where none is */
  next_at: number | null;
  /** the summary that told of it, for one that was held */
  summary_id: string | null;
  error: string | null;
}

export interface StreamTicketsTable {
  /** SHA-256 of the ticket */
  hash: string;
  session_id: string;
  expires_at: number;
}

export interface SetupTokensTable {
  /** SHA-256 of the token */
  hash: string;
  /** `first` creates the first administrator, `reset` gives one a new password */
  purpose: string;
  created_at: number;
  expires_at: number;
}

export interface LoginAttemptsTable {
  key: string;
  failures: number;
  first_at: number;
  locked_until: number | null;
}

export interface SitesTable {
  id: string;
  name: string;
  /** JSON of the contract's SiteCreate */
  config: string;
  version: number;
  created_at: number;
  updated_at: number;
  updated_by: string;
}

export interface SiteDomainsTable {
  domain: string;
  site_id: string;
  position: number;
}

export interface ConfigVersionsTable {
  version: number;
  created_at: number;
  actor: string;
  reason: string;
  /** what changed, JSON */
  changes: string;
  /** JSON of what it touched; null where an earlier release wrote it */
  touched: string | null;
}

/** Rulesets, rules and address lists. */
export interface ConfigObjectsTable {
  id: string;
  /** whose noun it is; that owner's schema reads `config` */
  kind: string;
  /** the site of a ruleset, the ruleset of a rule; null where it stands alone */
  parent_id: string | null;
  config: string;
  version: number;
  created_at: number;
  updated_at: number;
  updated_by: string;
}

/** Stretches of long lists. */
export interface ConfigPiecesTable {
  /** an object of the configuration, or a version of it that keeps what it deleted */
  owner: string;
  /** which of its lists */
  field: string;
  /** by the content */
  id: string;
  /** JSON */
  entries: string;
}

export interface AdminAuditTable {
  seq: Generated<number>;
  id: string;
  time: number;
  level: string;
  action: string;
  message: string;
  actor: string;
  ip: string;
  target: string | null;
  site_id: string | null;
  /** JSON of before and after, secrets left out */
  details: string;
  previous_hash: string;
  hash: string;
}

/** Conditions that asked for attention. */
export interface AlertsTable {
  id: string;
  /** what it is about, one active alert a key: `memory`, `site_down:site_1` */
  key: string;
  type: string;
  message: string;
  site_id: string | null;
  started_at: number;
  /** null while it lasts */
  ended_at: number | null;
}

export interface EventDaysTable {
  /** UTC day as YYYYMMDD */
  day: number;
  entries: number;
  bytes: number;
}

/** Which classes the events of a day have; see day-tables' classOf. */
export interface EventClassesTable {
  day: number;
  name: string;
}

export interface EventBatchesTable {
  id: string;
  gateway_id: string;
  received_at: number;
  dropped: number;
}

/** Sums that gateways counted. `site_id` is empty for hosts that no site names. */
export interface TrafficTotalTable extends Record<SumColumn, number> {
  site_id: string;
}

export interface TrafficTable extends TrafficTotalTable {
  /** start of the minute or hour */
  time: number;
}

export interface EventsTable {
  /** order of arrival */
  seq: ColumnType<number, never, never>;
  id: string;
  time: number;
  level: string;
  kind: string;
  decision: string;
  site_id: string | null;
  category: string | null;
  rule_id: string | null;
  client_ip: string;
  host: string;
  path: string;
  method: string;
  status: number;
  request_id: string;
  count: number;
  /** JSON of the contract's SecurityEvent */
  body: string;
}
