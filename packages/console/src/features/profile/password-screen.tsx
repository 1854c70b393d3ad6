import { Button, PasswordInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { PasswordPolicy } from '@portcullis/contract/auth';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { fieldErrorsOf } from '../../components/form-errors.ts';
import { Panel } from '../../components/panel.tsx';
import { toast } from '../../components/toast.ts';
import { useUnsavedGuard } from '../../components/unsaved-guard.ts';
import { messages } from '../../lib/messages/index.ts';
import { defaultPasswordPolicy, passwordPolicyQuery } from '../../lib/queries/index.ts';
import { useChangePassword } from './account-queries.ts';
import { PasswordChecklist } from './password-checklist.tsx';
import { passwordRules } from './password-rules.ts';
import classes from './password-screen.module.css';
import { ProfileFrame } from './profile-frame.tsx';

const words = messages.profile.password;

/** Changes the own password. */
export function PasswordScreen() {
  const policy = useQuery(passwordPolicyQuery).data ?? defaultPasswordPolicy;
  return (
    <ProfileFrame title={words.title} purpose={words.subtitle}>
      <Panel title={words.title}>
        <PasswordForm policy={policy} />
      </Panel>
    </ProfileFrame>
  );
}

interface Values {
  current: string;
  next: string;
  confirm: string;
}

function problems(values: Values, policy: PasswordPolicy): Record<string, string> {
  const found: Record<string, string> = {};
  if (values.current === '') found['current'] = words.currentRequired;
  if (values.next === '') found['next'] = words.newRequired;
  else if (passwordRules(values.next, policy).some((rule) => !rule.met)) found['next'] = words.weak;
  if (values.next !== values.confirm) found['confirm'] = words.differ;
  return found;
}

/** Field names of the call, back to those of the form. */
const fieldOf: Record<string, string> = { currentPassword: 'current', newPassword: 'next' };

function usePasswordForm(policy: PasswordPolicy) {
  const navigate = useNavigate();
  const [done, setDone] = useState(false);
  const form = useForm<Values>({
    initialValues: { current: '', next: '', confirm: '' },
    validate: (values) => problems(values, policy),
  });
  useUnsavedGuard(form.isDirty() && !done);
  const change = useChangePassword(
    () => {
      setDone(true);
      void navigate({ to: '/profile', ignoreBlocker: true });
    },
    (error) => {
      const refused = Object.entries(fieldErrorsOf(error)).map(([path, text]) => [
        fieldOf[path] ?? path,
        text,
      ]);
      form.setErrors(Object.fromEntries(refused) as Record<string, string>);
    },
  );
  const submit = form.onSubmit(
    ({ current, next }) => change.mutate({ currentPassword: current, newPassword: next }),
    (errors) => {
      const first = Object.keys(errors)[0] ?? '';
      toast.error(String(errors[first]));
      form.getInputNode(first)?.focus();
    },
  );
  return { form, busy: change.isPending, submit };
}

function PasswordForm(props: { policy: PasswordPolicy }) {
  const { form, busy, submit } = usePasswordForm(props.policy);
  const { next } = form.getValues();
  const field = (name: keyof Values, label: string, autoComplete: string) => (
    <PasswordInput
      label={label}
      autoComplete={autoComplete}
      maxLength={256}
      visibilityToggleButtonProps={{ 'aria-label': words.show(label) }}
      {...form.getInputProps(name)}
    />
  );
  return (
    <form
      className={classes.form}
      aria-label={words.title}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (!busy) submit(event);
      }}
    >
      <div className={classes.fields}>
        {field('current', words.current, 'current-password')}
        {field('next', words.next, 'new-password')}
        {field('confirm', words.confirm, 'new-password')}
      </div>
      <PasswordChecklist password={next} policy={props.policy} />
      <div className={classes.actions}>
        <Button component={Link} to="/profile" variant="default">
          {messages.common.cancel}
        </Button>
        <Button type="submit" disabled={busy} aria-busy={busy}>
          {busy ? words.busy : words.submit}
        </Button>
      </div>
    </form>
  );
}
