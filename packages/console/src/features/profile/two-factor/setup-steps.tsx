import { Button, PasswordInput } from '@mantine/core';
import { IconCircleCheck } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { toast } from '../../../components/toast.ts';
import { messages } from '../../../lib/messages/index.ts';
import { BackupCodes } from './backup-codes.tsx';
import classes from './two-factor.module.css';

const words = messages.profile.twoFactorScreen;

/** Step one: the password, so that a left-open browser is not enough to take the account over. */
export function SetupStep(props: { busy: boolean; onStart: (password: string) => void }) {
  const { busy } = props;
  const [password, setPassword] = useState('');
  const [problem, setProblem] = useState<string>();
  const submit = () => {
    if (busy) return;
    if (password !== '') return props.onStart(password);
    setProblem(words.enterPassword);
    toast.error(words.enterPassword);
  };
  return (
    <form
      className={classes.narrow}
      noValidate
      aria-label={words.setupTitle}
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <div>
        <h3 className={classes.stepTitle}>{words.setupTitle}</h3>
        <p className={classes.dim}>{words.setupText}</p>
      </div>
      <PasswordInput
        label={words.password}
        autoComplete="current-password"
        value={password}
        error={problem}
        visibilityToggleButtonProps={{ 'aria-label': words.showPassword }}
        onChange={(event) => {
          setPassword(event.currentTarget.value);
          setProblem(undefined);
        }}
      />
      <div className={classes.actions}>
        <Button type="submit" disabled={busy} aria-busy={busy}>
          {busy ? messages.profile.twoFactor.starting : messages.profile.twoFactor.enable}
        </Button>
      </div>
    </form>
  );
}

/** Step three: it is on, and the codes for the day the phone is lost. */
export function CompleteStep(props: { codes: readonly string[] }) {
  const back = (
    <Button component={Link} to="/profile">
      {words.back}
    </Button>
  );
  return (
    <div className={classes.narrowWide}>
      <p className={classes.good} role="status">
        <IconCircleCheck size={20} stroke={1.75} aria-hidden />
        <span>
          <strong>{words.completeTitle}.</strong> {words.completeText}
        </span>
      </p>
      {props.codes.length > 0 ? (
        <BackupCodes codes={props.codes} actions={back} />
      ) : (
        <div className={classes.actions}>{back}</div>
      )}
    </div>
  );
}
