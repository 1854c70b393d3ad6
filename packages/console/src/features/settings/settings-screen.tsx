import { IconBell, IconPalette, IconSettings, IconShieldLock } from '@tabler/icons-react';
import { useSearch } from '@tanstack/react-router';
import type { ComponentType } from 'react';
import { Page } from '../../components/page.tsx';
import type { Section } from '../../components/section-layout.tsx';
import { SectionLayout } from '../../components/section-layout.tsx';
import { messages } from '../../lib/messages/index.ts';
import { AppearanceTab } from './appearance-tab.tsx';
import { GeneralTab } from './general-tab.tsx';
import { NotificationsTab } from './notifications-tab.tsx';
import type { SettingsTab } from './search.ts';
import { SecurityTab } from './security-tab.tsx';

const words = messages.settings;
const to = '/settings';

const sections: Section[] = [
  { to, search: { tab: 'general' }, label: words.tabs.general, icon: IconSettings },
  { to, search: { tab: 'security' }, label: words.tabs.security, icon: IconShieldLock },
  { to, search: { tab: 'notifications' }, label: words.tabs.notifications, icon: IconBell },
  { to, search: { tab: 'appearance' }, label: words.tabs.appearance, icon: IconPalette },
];

const tabs: Record<SettingsTab, ComponentType> = {
  general: GeneralTab,
  security: SecurityTab,
  notifications: NotificationsTab,
  appearance: AppearanceTab,
};

/** How this installation behaves. */
export function SettingsScreen() {
  const { tab } = useSearch({ from: '/signed-in/settings' });
  const Tab = tabs[tab];
  return (
    <Page title={words.title} purpose={words.subtitle}>
      <SectionLayout label={words.sections} sections={sections}>
        <Tab key={tab} />
      </SectionLayout>
    </Page>
  );
}
