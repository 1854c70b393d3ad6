import { Button } from '@mantine/core';
import type { User } from '@portcullis/contract/users';
import { IconShieldOff } from '@tabler/icons-react';
import { useConfirm } from '../../components/confirm.tsx';
import { messages } from '../../lib/messages/index.ts';
import { useResetTotp } from './users-queries.ts';

const words = messages.users;

/** Turns 2FA off for somebody who lost the device and the backup codes. */
export function ResetTotp(props: { user: User; onDone: () => void }) {
  const { id, email } = props.user;
  const confirm = useConfirm();
  const reset = useResetTotp(props.onDone);
  const ask = async () => {
    const agreed = await confirm({
      title: words.totpResetTitle(email),
      text: words.totpResetText,
      confirm: words.totpResetConfirm,
      destructive: true,
    });
    if (agreed) reset.mutate(id);
  };
  return (
    <Button
      variant="subtle"
      color="red"
      leftSection={<IconShieldOff size={16} aria-hidden />}
      disabled={reset.isPending}
      onClick={() => void ask()}
    >
      {words.totpResetConfirm}
    </Button>
  );
}
