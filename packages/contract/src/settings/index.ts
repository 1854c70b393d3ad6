import { z } from 'zod';
import { Network } from '../access/index.ts';
import { patchOf } from '../patch/index.ts';

const on = z.boolean().default(true);

/** Time zones offered first for the installation. */
export const systemTimezones = [
  'UTC',
  'America/New_York',
  'America/Chicago',
  'America/Denver',
  'America/Los_Angeles',
  'Europe/London',
  'Europe/Berlin',
  'Asia/Tokyo',
] as const;

/** Whether an IANA name, old or new, is one that times can be told in. Offsets such as `+02:00` are no names. */
function isTimezone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return /^[A-Za-z]/.test(name);
  } catch {
    return false;
  }
}

/** Any name of the IANA time zone database, such as `Australia/Sydney`. */
const Timezone = z.string().refine(isTimezone, 'Enter a time zone such as Europe/Paris');

export const GeneralSettings = z.object({
  systemName: z.string().trim().min(1).max(120).default('Portcullis'),
  timezone: Timezone.default('UTC'),
  /** days that events are kept */
  logRetentionDays: z.number().int().min(1).max(365).default(30),
  /** bytes of events that are kept, in units of 1024³; the oldest days go first, and today's stay */
  logRetentionGigabytes: z.number().int().min(1).max(10_000).default(20),
  /** days that versions of the configuration are kept, to be looked at and restored */
  historyRetentionDays: z.number().int().min(1).max(3650).default(90),
  /** so many of the newest versions are kept however old they are */
  historyKeptVersions: z.number().int().min(10).max(10_000).default(100),
  maxConnections: z.number().int().min(100).max(100_000).default(10_000),
  /** seconds that an upstream may take to answer */
  requestTimeout: z.number().int().min(5).max(300).default(30),
  /** seconds that connecting to an upstream may take */
  connectTimeout: z.number().int().min(1).max(60).default(10),
  /** seconds that a client may take to send the head of a request */
  headerTimeout: z.number().int().min(1).max(300).default(20),
  /** seconds that a client may take to send the body of a request */
  bodyTimeout: z.number().int().min(5).max(86_400).default(300),
  /** seconds without a byte within a request, its answer or a WebSocket, from either end */
  idleTimeout: z.number().int().min(5).max(86_400).default(300),
  /** seconds that a connection is kept for its next request */
  keepAliveTimeout: z.number().int().min(1).max(3600).default(65),
  /** seconds that a request may take with its answer; 0 sets no bound, and WebSockets have none */
  totalTimeout: z.number().int().min(0).max(86_400).default(0),
  healthChecksEnabled: on,
  /** seconds; of sites that are added without one of their own */
  healthCheckInterval: z.number().int().min(10).max(300).default(30),
  /** answers 503 to all traffic */
  maintenanceMode: z.boolean().default(false),
});
export type GeneralSettings = z.infer<typeof GeneralSettings>;

/** Without `key` the service makes one of its own. The key is never sent back. */
export const RotateTokenKey = z.object({
  key: z.string().min(32, 'The key must have at least 32 characters').max(512).optional(),
});

export const SecuritySettings = z.object({
  /** seconds that a session lasts without a sign-in */
  sessionTimeout: z.number().int().min(300).max(86_400).default(3600),
  maxLoginAttempts: z.number().int().min(3).max(20).default(5),
  /** seconds */
  lockoutDuration: z.number().int().min(60).max(3600).default(900),
  minPasswordLength: z.number().int().min(6).max(32).default(8),
  require2FA: z.boolean().default(false),
  requireSpecialChars: on,
  requireNumbers: on,
  requireUppercase: on,
  rateLimitEnabled: on,
  requestsPerMinute: z.number().int().min(10).max(1000).default(100),
  /** bans a client for a while after repeated blocks */
  blockSuspiciousIPs: on,
  /** blocks within `banWindow` seconds that earn a ban of `banDuration` seconds */
  banAfterBlocks: z.number().int().min(2).max(1000).default(10),
  banWindow: z.number().int().min(10).max(3600).default(60),
  banDuration: z.number().int().min(10).max(604_800).default(900),
  /** requests that one client may have under way at once; 0 sets no bound */
  maxConcurrentPerClient: z.number().int().min(0).max(100_000).default(256),
  /** whose X-Forwarded-For counts: the client is the rightmost hop that is not among them */
  trustedProxies: z.array(Network).max(10_000).default([]),
  /** reads a PROXY protocol header, v1 or v2, from trusted proxies, which must then send one */
  proxyProtocol: z.boolean().default(false),
  corsEnabled: on,
  allowedOrigins: z.array(z.string().max(2048)).max(1000).default(['*']),
});
export type SecuritySettings = z.infer<typeof SecuritySettings>;

/** Rises with each saved change of one kind of settings. */
export const settingsVersion = z.number().int().min(0).optional();
const versioned = { version: settingsVersion };

/** Settings as a call answers them. */
export const GeneralSettingsAnswer = GeneralSettings.extend(versioned);
export type GeneralSettingsAnswer = z.infer<typeof GeneralSettingsAnswer>;
export const SecuritySettingsAnswer = SecuritySettings.extend(versioned);
export type SecuritySettingsAnswer = z.infer<typeof SecuritySettingsAnswer>;

/** Changes of settings: fields that are left out keep their value. A stale `version` is refused. */
export const GeneralSettingsUpdate = patchOf(GeneralSettingsAnswer);
export type GeneralSettingsUpdate = z.infer<typeof GeneralSettingsUpdate>;
export const SecuritySettingsUpdate = patchOf(SecuritySettingsAnswer);
export type SecuritySettingsUpdate = z.infer<typeof SecuritySettingsUpdate>;
