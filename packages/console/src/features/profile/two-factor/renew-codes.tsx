import { Button, PasswordInput } from '@mantine/core';
import { useState } from 'react';
import { FormModal } from '../../../components/form-modal.tsx';
import { toast } from '../../../components/toast.ts';
import { messages } from '../../../lib/messages/index.ts';
import { BackupCodes } from './backup-codes.tsx';
import { CodeField, isCode } from './code-field.tsx';
import classes from './two-factor.module.css';
import { useRenewCodes } from './two-factor-queries.ts';

const words = messages.profile.twoFactorScreen;

/** New backup codes, after password and code; shown once. */
export function RenewCodes() {
  const [asking, setAsking] = useState(false);
  const [codes, setCodes] = useState<readonly string[]>([]);
  if (codes.length > 0) {
    const done = <Button onClick={() => setCodes([])}>{messages.profile.twoFactor.done}</Button>;
    return <BackupCodes codes={codes} actions={done} />;
  }
  return (
    <>
      <Button variant="default" onClick={() => setAsking(true)}>
        {words.renew}
      </Button>
      <RenewPrompt
        opened={asking}
        onClose={() => setAsking(false)}
        onRenewed={(next) => {
          setAsking(false);
          setCodes(next);
        }}
      />
    </>
  );
}

function RenewPrompt(props: {
  opened: boolean;
  onClose: () => void;
  onRenewed: (codes: readonly string[]) => void;
}) {
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const clear = () => {
    setPassword('');
    setCode('');
  };
  const renew = useRenewCodes(
    (codes) => {
      clear();
      props.onRenewed(codes);
    },
    () => setCode(''),
  );
  const submit = () => {
    if (password === '' || code === '') toast.error(words.enterBoth);
    else if (!isCode(code)) toast.error(messages.profile.twoFactor.sixDigits);
    else renew.mutate({ password, code });
  };
  return (
    <FormModal
      opened={props.opened}
      title={words.renew}
      submit={words.renew}
      busyLabel={words.renewing}
      busy={renew.isPending}
      dirty={false}
      size={460}
      onClose={() => {
        clear();
        props.onClose();
      }}
      onSubmit={submit}
    >
      <p className={classes.dim}>{words.renewText}</p>
      <PasswordInput
        label={words.password}
        data-autofocus
        autoComplete="current-password"
        value={password}
        visibilityToggleButtonProps={{ 'aria-label': words.showPassword }}
        onChange={(event) => setPassword(event.currentTarget.value)}
      />
      <CodeField label={words.code} description={words.codeHelp} value={code} onChange={setCode} />
    </FormModal>
  );
}
