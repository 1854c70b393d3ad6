import { z } from 'zod';
import { AddressList, AddressListCreate, AddressListUpdate } from '../access/index.ts';
import { endpoint } from './endpoint.ts';

const params = z.object({ id: z.string().max(64) });

export const accessEndpoints = {
  list: endpoint({
    method: 'GET',
    path: '/access/lists',
    access: { anyOf: ['rule:view'] },
    summary: 'All lists of allowed and blocked addresses',
    response: z.array(AddressList),
  }),
  create: endpoint({
    method: 'POST',
    path: '/access/lists',
    access: { anyOf: ['rule:create'] },
    summary: 'Adds a list of addresses that are always let in or always refused',
    body: AddressListCreate,
    response: AddressList,
  }),
  update: endpoint({
    method: 'PUT',
    path: '/access/lists/{id}',
    access: { anyOf: ['rule:update'] },
    summary: 'Replaces a list of addresses; a stale version is refused',
    params,
    body: AddressListUpdate,
    response: AddressList,
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/access/lists/{id}',
    access: { anyOf: ['rule:delete'] },
    summary: 'Deletes a list of addresses',
    params,
  }),
} as const;
