import type { Permission } from '@portcullis/contract/auth';
import type { ReactNode } from 'react';
import { usePermission } from '../lib/session/index.ts';
import { RestrictedState } from './states.tsx';

/** Shows its content to who holds any of the permissions, and nothing to others. */
export function Allowed(props: { anyOf: Permission[]; children: ReactNode }) {
  return usePermission(...props.anyOf) ? props.children : null;
}

/** Shows a page to who holds any of the permissions, Access Restricted to others. */
export function PageGate(props: { anyOf: readonly Permission[]; children: ReactNode }) {
  const allowed = usePermission(...props.anyOf);
  return allowed ? props.children : <RestrictedState missing={props.anyOf[0]} />;
}
