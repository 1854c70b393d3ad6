import { endpoints } from '@portcullis/contract/api';
import { allows } from '@portcullis/contract/auth';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { call } from '../../lib/api/index.ts';
import { messages } from '../../lib/messages/index.ts';
import { sitesQuery } from '../../lib/queries/index.ts';
import { useCurrentUser, usePermission } from '../../lib/session/index.ts';
import { menu } from '../shell/navigation.ts';
import type { Known } from './commands.ts';

const freshMs = 60_000;
const { shell } = messages;
const accountPages = [
  { to: '/profile', label: shell.profile },
  { to: '/profile/password', label: shell.changePassword },
  { to: '/profile/2fa', label: shell.twoFactor },
  { to: '/profile/preferences', label: shell.preferences },
];

/** Everything that the palette can lead to, as far as the user may see it; a list that fails is left out. */
export function useKnown(): Known {
  const user = useCurrentUser();
  const sites = useQuery({ ...sitesQuery, staleTime: freshMs, enabled: usePermission('site:view') }).data;
  const users = useQuery({
    queryKey: ['users'],
    queryFn: ({ signal }) => call(endpoints.users.list, {}, signal),
    staleTime: freshMs,
    enabled: usePermission('user:view'),
  }).data;
  const mayRules = usePermission('rule:view');
  const mayFindEvents = usePermission('audit:view');
  // One call for all sites: one for each would be ten thousand.
  const sets = useQuery({
    queryKey: ['rulesets'],
    queryFn: ({ signal }) => call(endpoints.protection.list, { query: {} }, signal),
    staleTime: freshMs,
    retry: false,
    enabled: mayRules,
  }).data;
  const rules = useMemo(() => {
    const byId = new Map(sites?.map((site) => [site.id, site]));
    return (sets ?? []).flatMap((set) => {
      const site = byId.get(set.siteId ?? '');
      return site ? (set.rules ?? []).map((rule) => ({ ...rule, site })) : [];
    });
  }, [sets, sites]);
  return useMemo(() => {
    const entries = menu.filter((entry) => allows(user?.permissions ?? [], [entry.permission]));
    return {
      pages: [...entries, ...accountPages],
      sites: sites ?? [],
      users: users ?? [],
      rules,
      mayFindEvents,
    };
  }, [user, sites, users, rules, mayFindEvents]);
}
