import {
  IconAdjustments,
  IconDevices,
  IconKey,
  IconPencil,
  IconShieldLock,
  IconTerminal2,
  IconUser,
} from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Page } from '../../components/page.tsx';
import type { Section } from '../../components/section-layout.tsx';
import { SectionLayout } from '../../components/section-layout.tsx';
import { messages } from '../../lib/messages/index.ts';

const words = messages.profile;

const sections: Section[] = [
  { to: '/profile', label: words.nav.profile, icon: IconUser },
  { to: '/profile/edit', label: words.nav.edit, icon: IconPencil },
  { to: '/profile/password', label: words.nav.password, icon: IconKey },
  { to: '/profile/2fa', label: words.nav.twoFactor, icon: IconShieldLock },
  { to: '/profile/sessions', label: words.nav.sessions, icon: IconDevices },
  { to: '/profile/tokens', label: words.nav.tokens, icon: IconTerminal2 },
  { to: '/profile/preferences', label: words.nav.preferences, icon: IconAdjustments },
];

/** One screen of the own account, beside the list of all of them. */
export function ProfileFrame(props: {
  title: string;
  purpose: string;
  actions?: ReactNode;
  children: ReactNode;
}) {
  return (
    <Page title={props.title} purpose={props.purpose} actions={props.actions}>
      <SectionLayout label={words.sections} sections={sections}>
        {props.children}
      </SectionLayout>
    </Page>
  );
}
