import { Button, PasswordInput } from '@mantine/core';
import { IconCircleCheck } from '@tabler/icons-react';
import { useState } from 'react';
import { Panel } from '../../../components/panel.tsx';
import { toast } from '../../../components/toast.ts';
import { messages } from '../../../lib/messages/index.ts';
import { CodeField, isCode } from './code-field.tsx';
import { RenewCodes } from './renew-codes.tsx';
import classes from './two-factor.module.css';
import { useDisable } from './two-factor-queries.ts';

const words = messages.profile.twoFactorScreen;

/** 2FA is on: what that means, the way off, and new backup codes. */
export function EnabledPanels(props: { codesLeft: number | undefined }) {
  return (
    <>
      <p className={classes.good}>
        <IconCircleCheck size={20} stroke={1.75} aria-hidden />
        <span>
          <strong>{words.onTitle}.</strong> {words.onText}
        </span>
      </p>
      <Panel
        title={words.renewTitle}
        note={words.renewText}
        actions={
          props.codesLeft === undefined ? null : (
            <span className={classes.dim}>{words.codesLeft(props.codesLeft)}</span>
          )
        }
      >
        <RenewCodes />
      </Panel>
      <Panel title={words.disableTitle} note={words.disableText}>
        <DisableForm />
      </Panel>
    </>
  );
}

function DisableForm() {
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const disable = useDisable(() => {
    setPassword('');
    setCode('');
  });
  const submit = () => {
    if (disable.isPending) return;
    if (password === '' || code === '') toast.error(words.enterBoth);
    else if (!isCode(code)) toast.error(messages.profile.twoFactor.sixDigits);
    else disable.mutate({ password, code });
  };
  return (
    <form
      className={classes.narrow}
      noValidate
      aria-label={words.disableTitle}
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <PasswordInput
        label={words.password}
        autoComplete="current-password"
        value={password}
        visibilityToggleButtonProps={{ 'aria-label': words.showPassword }}
        onChange={(event) => setPassword(event.currentTarget.value)}
      />
      <CodeField label={words.code} description={words.codeHelp} value={code} onChange={setCode} />
      <div className={classes.actions}>
        <Button
          type="submit"
          variant="outline"
          color="red"
          disabled={disable.isPending}
          aria-busy={disable.isPending}
        >
          {disable.isPending ? messages.profile.twoFactor.disabling : messages.profile.twoFactor.disable}
        </Button>
      </div>
    </form>
  );
}
