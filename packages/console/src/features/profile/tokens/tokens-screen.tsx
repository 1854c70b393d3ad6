import { Button } from '@mantine/core';
import { IconPlus, IconTerminal2 } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Panel } from '../../../components/panel.tsx';
import { EmptyState, Stale } from '../../../components/states.tsx';
import { ApiError } from '../../../lib/api/index.ts';
import { messages } from '../../../lib/messages/index.ts';
import { AccountState } from '../account-state.tsx';
import { ProfileFrame } from '../profile-frame.tsx';
import { TokenForm } from './token-form.tsx';
import { TokenList } from './token-list.tsx';
import { tokensQuery } from './token-queries.ts';
import { TokenSecret } from './token-secret.tsx';

const words = messages.profile.tokens;

/** Keys for scripts. */
export function TokensScreen() {
  const tokens = useQuery(tokensQuery);
  const [adding, setAdding] = useState(false);
  const [secret, setSecret] = useState<string>();
  const offered = !(tokens.error instanceof ApiError && tokens.error.status === 404);
  const add = (
    <Button size="xs" leftSection={<IconPlus size={14} aria-hidden />} onClick={() => setAdding(true)}>
      {words.create}
    </Button>
  );
  return (
    <ProfileFrame title={words.title} purpose={words.subtitle}>
      {offered ? (
        <AccountState title={words.title} query={tokens} failed={words.failed} loading={words.loading}>
          {(list) => (
            <Panel title={words.title} flush actions={add}>
              <Stale since={tokens.isError ? tokens.dataUpdatedAt : undefined}>
                {list.length > 0 ? (
                  <TokenList tokens={list} />
                ) : (
                  <EmptyState icon={IconTerminal2} title={words.empty} text={words.emptyText} />
                )}
              </Stale>
            </Panel>
          )}
        </AccountState>
      ) : (
        <EmptyState icon={IconTerminal2} title={words.unavailable} />
      )}
      <TokenForm
        opened={adding}
        onClose={() => setAdding(false)}
        onCreated={(created) => {
          setAdding(false);
          setSecret(created.secret);
        }}
      />
      <TokenSecret secret={secret} onClose={() => setSecret(undefined)} />
    </ProfileFrame>
  );
}
