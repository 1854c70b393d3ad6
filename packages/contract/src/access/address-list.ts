import { z } from 'zod';
import { Network } from './network.ts';

/** `allow` passes a client by every later check, `block` refuses it. Where both name an address, allow counts. */
export const addressListActions = ['allow', 'block'] as const;

/** Entries that one list may hold. A gateway holds a million in all. */
export const maxListEntries = 1_000_000;

/** Entries with an end that all lists hold together: unlike the others they are not kept in pieces. */
export const maxTemporaryEntries = 2000;

/** An address or a network that counts until a moment. */
export const TemporaryEntry = z.object({ entry: Network, expires_at: z.iso.datetime() });
export type TemporaryEntry = z.infer<typeof TemporaryEntry>;

const listFields = {
  name: z.string().trim().min(1, 'Name is required').max(120),
  description: z.string().max(2000).default(''),
  action: z.enum(addressListActions),
  /** the site that it is for; absent counts on every site */
  siteId: z.string().max(64).optional(),
  enabled: z.boolean().default(true),
  entries: z.array(Network).max(maxListEntries).default([]),
  /** beside `entries`; what has ended is left out */
  temporary: z.array(TemporaryEntry).max(maxTemporaryEntries).default([]),
};

/** What a client sends to create a list of addresses. */
export const AddressListCreate = z.object(listFields);
export type AddressListCreate = z.infer<typeof AddressListCreate>;

/** Replaces a list; `entries` and `temporary` stay where they are left out. A stale `version` is refused. */
export const AddressListUpdate = AddressListCreate.extend({
  entries: AddressListCreate.shape.entries.unwrap().optional(),
  temporary: AddressListCreate.shape.temporary.unwrap().optional(),
  version: z.number().int().optional(),
});
export type AddressListUpdate = z.infer<typeof AddressListUpdate>;

/** A named list of addresses and networks that are always let in or always refused. */
export const AddressList = AddressListCreate.extend({
  id: z.string().max(64),
  /** rises with each saved change; absent where a gateway kept a list of before */
  version: z.number().int().optional(),
  created_at: z.string().optional(),
  updated_at: z.string().optional(),
});
export type AddressList = z.infer<typeof AddressList>;

/** A list as a call answers it. */
export const AddressListAnswer = AddressList.extend({
  /** checked when they were saved */
  entries: z.array(z.string()),
  temporary: z.array(z.object({ entry: z.string(), expires_at: z.string() })).default([]),
  /** how many `entries` there are, also where they are left out */
  entry_count: z.number().int().optional(),
});
export type AddressListAnswer = z.infer<typeof AddressListAnswer>;

export const AddressListQuery = z.object({
  /** `none` leaves the entries out: lists of a million are tens of megabytes */
  entries: z.enum(['all', 'none']).default('all'),
});

/** Bytes of the text that {@link maxListEntries} may come in, unpacked where it came packed. */
export const maxEntriesTextBytes = 64 * 1024 * 1024;

export const EntriesQuery = z.object({
  /** of the list that was read before; a stale one is refused */
  version: z.coerce.number().int().min(1).optional(),
});

/** What became of a list whose entries came as text. */
export const AddressListEntries = z.object({
  id: z.string(),
  version: z.number().int(),
  entry_count: z.number().int(),
  updated_at: z.string(),
});
export type AddressListEntries = z.infer<typeof AddressListEntries>;
