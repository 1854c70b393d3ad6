import { z } from 'zod';
import {
  AddressListAnswer,
  AddressListCreate,
  AddressListEntries,
  AddressListQuery,
  AddressListUpdate,
  BanList,
  BanQuery,
  EntriesQuery,
} from '../access/index.ts';
import { endpoint } from './endpoint.ts';

const params = z.object({ id: z.string().max(64) });

export const accessEndpoints = {
  list: endpoint({
    method: 'GET',
    path: '/access/lists',
    access: { anyOf: ['rule:view'] },
    summary: 'All lists of allowed and blocked addresses, without entries that have ended',
    query: AddressListQuery,
    response: z.array(AddressListAnswer),
  }),
  create: endpoint({
    method: 'POST',
    path: '/access/lists',
    access: { anyOf: ['rule:create'] },
    summary: 'Adds a list of addresses that are always let in or always refused, or until each one ends',
    body: AddressListCreate,
    response: AddressListAnswer,
  }),
  update: endpoint({
    method: 'PUT',
    path: '/access/lists/{id}',
    access: { anyOf: ['rule:update'] },
    summary: 'Replaces a list of addresses; a stale version is refused',
    params,
    body: AddressListUpdate,
    response: AddressListAnswer,
  }),
  entries: endpoint({
    method: 'GET',
    path: '/access/lists/{id}/entries',
    access: { anyOf: ['rule:view'] },
    summary: 'The entries of a list as text, one a line, without those that end',
    params,
    produces: ['text/plain'],
  }),
  replaceEntries: endpoint({
    method: 'PUT',
    path: '/access/lists/{id}/entries',
    access: { anyOf: ['rule:update'] },
    summary:
      'Replaces the entries of a list by those of a text, one a line; what follows # or ; is left out. Up to 64 MiB, also as Content-Encoding: gzip',
    params,
    query: EntriesQuery,
    accepts: 'text/plain',
    response: AddressListEntries,
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/access/lists/{id}',
    access: { anyOf: ['rule:delete'] },
    summary: 'Deletes a list of addresses',
    params,
  }),
  bans: endpoint({
    method: 'GET',
    path: '/access/bans',
    access: { anyOf: ['rule:view'] },
    summary: 'The bans in force, the newest first, 500 at most',
    query: BanQuery,
    response: BanList,
  }),
  liftBan: endpoint({
    method: 'DELETE',
    path: '/access/bans/{id}',
    access: { anyOf: ['rule:update'] },
    summary: 'Ends a ban, and all others of the same address, on every gateway',
    params,
  }),
} as const;
