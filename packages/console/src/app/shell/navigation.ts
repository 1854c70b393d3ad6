import type { Permission } from '@portcullis/contract/auth';
import {
  IconActivity,
  IconCertificate,
  IconFileText,
  IconHistory,
  IconLayoutDashboard,
  IconListCheck,
  IconSettings,
  IconShield,
  IconUsers,
  IconWorld,
} from '@tabler/icons-react';
import type { ComponentType } from 'react';
import { messages } from '../../lib/messages/index.ts';

/** One entry of the main menu, shown to who holds the permission. */
export interface MenuEntry {
  to: string;
  label: string;
  icon: ComponentType<{ size?: number; stroke?: number; 'aria-hidden'?: boolean }>;
  permission: Permission;
}

const words = messages.shell.menu;

/** The main menu, in its order. */
export const menu: readonly MenuEntry[] = [
  { to: '/', label: words.dashboard, icon: IconLayoutDashboard, permission: 'metrics:view' },
  { to: '/sites', label: words.sites, icon: IconWorld, permission: 'site:view' },
  { to: '/protection', label: words.protection, icon: IconShield, permission: 'rule:view' },
  { to: '/address-lists', label: words.access, icon: IconListCheck, permission: 'rule:view' },
  { to: '/logs', label: words.logs, icon: IconFileText, permission: 'audit:view' },
  { to: '/certificates', label: words.certificates, icon: IconCertificate, permission: 'site:view' },
  { to: '/users', label: words.users, icon: IconUsers, permission: 'user:view' },
  { to: '/monitoring', label: words.monitoring, icon: IconActivity, permission: 'metrics:view' },
  { to: '/settings', label: words.settings, icon: IconSettings, permission: 'settings:view' },
  { to: '/configuration', label: words.configuration, icon: IconHistory, permission: 'settings:view' },
];
