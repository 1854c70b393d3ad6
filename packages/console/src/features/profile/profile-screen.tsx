import { Button } from '@mantine/core';
import type { Profile } from '@portcullis/contract/auth';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Moment } from '../../components/moment.tsx';
import { Panel } from '../../components/panel.tsx';
import { messages } from '../../lib/messages/index.ts';
import { profileQuery } from './account-queries.ts';
import { AccountState } from './account-state.tsx';
import { ProfileFrame } from './profile-frame.tsx';
import classes from './profile-screen.module.css';
import { TotpSection } from './two-factor/index.ts';

const words = messages.profile;

/** Who is signed in, and the second step of the sign-in. */
export function ProfileScreen() {
  const profile = useQuery(profileQuery);
  return (
    <ProfileFrame title={words.title} purpose={words.subtitle}>
      <AccountState title={words.account} query={profile} failed={words.loadFailed} loading={words.loading}>
        {(account) => (
          <>
            <AccountInformation account={account} />
            <TotpSection enabled={account.totpEnabled} />
          </>
        )}
      </AccountState>
    </ProfileFrame>
  );
}

function AccountInformation(props: { account: Profile }) {
  const { email, displayName, role, createdAt } = props.account;
  return (
    <Panel
      title={words.account}
      actions={
        <Button component={Link} to="/profile/edit" variant="default" size="xs">
          {words.nav.edit}
        </Button>
      }
    >
      <dl className={classes.facts}>
        <Fact term={words.email}>{email}</Fact>
        <Fact term={words.displayName}>
          {displayName ? displayName : <span className={classes.dim}>{words.notSet}</span>}
        </Fact>
        <Fact term={words.role}>{messages.shell.roles[role] ?? role}</Fact>
        <Fact term={words.created}>{createdAt ? <Moment at={createdAt} part="date" /> : words.unknown}</Fact>
      </dl>
    </Panel>
  );
}

function Fact(props: { term: string; children: ReactNode }) {
  return (
    <div className={classes.fact}>
      <dt>{props.term}</dt>
      <dd>{props.children}</dd>
    </div>
  );
}
