import { Button, PasswordInput, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { authEndpoints } from '@portcullis/contract/api';
import { Email } from '@portcullis/contract/users';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { EntryCard } from '../../components/entry-card.tsx';
import { fieldErrorsOf } from '../../components/form-errors.ts';
import { toast } from '../../components/toast.ts';
import { call, errorText } from '../../lib/api/index.ts';
import { messages } from '../../lib/messages/index.ts';
import { currentUserQuery, storeToken } from '../../lib/session/index.ts';

const words = messages.signIn;
const minPassword = 8;

/** The first administrator, by the one-time link that the terminal prints: `/setup#token=…`. */
export function SetupScreen() {
  const token = useTokenOfLink();
  const status = useQuery({
    queryKey: ['setup'],
    queryFn: ({ signal }) => call(authEndpoints.setupStatus, {}, signal),
  });
  if (status.data?.required === false) return <Closed subtitle={words.setupAlreadyDone} />;
  if (token === undefined) return <Closed subtitle={`${words.setupNoToken}. ${words.setupNoTokenText}`} />;
  return (
    <EntryCard title={words.setupTitle} subtitle={words.setupSubtitle}>
      <SetupForm token={token} />
    </EntryCard>
  );
}

/**
 * The token of the link's fragment, which no server ever sees. It leaves the address bar at once, so that it does
 * not stay in the history or on somebody's screen share.
 */
function useTokenOfLink(): string | undefined {
  const [token, setToken] = useState(tokenInAddress);
  useEffect(() => {
    if (token !== undefined) window.history.replaceState(window.history.state, '', window.location.pathname);
    // Who opened the page first and pastes the whole link then changes the fragment alone.
    const look = () => setToken((known) => tokenInAddress() ?? known);
    window.addEventListener('hashchange', look);
    return () => window.removeEventListener('hashchange', look);
  }, [token]);
  return token;
}

const tokenInAddress = (): string | undefined =>
  new URLSearchParams(window.location.hash.slice(1)).get('token') ?? undefined;

function Closed(props: { subtitle: string }) {
  return (
    <EntryCard title={words.setupTitle} subtitle={props.subtitle}>
      <Button component={Link} to="/login" fullWidth variant="default">
        {words.toSignIn}
      </Button>
    </EntryCard>
  );
}

interface SetupValues {
  email: string;
  password: string;
  confirm: string;
}

function problems(values: SetupValues): Record<string, string> {
  const errors: Record<string, string> = {};
  if (values.email.trim() === '') errors['email'] = words.emailRequired;
  else if (!Email.safeParse(values.email.trim()).success) errors['email'] = words.emailInvalid;
  if (values.password === '') errors['password'] = words.passwordRequired;
  else if (values.password.length < minPassword) errors['password'] = words.passwordShort;
  if (values.password !== values.confirm) errors['confirm'] = words.passwordsDiffer;
  return errors;
}

function useSetup(token: string, onRefused: (errors: Record<string, string>) => void) {
  const client = useQueryClient();
  const navigate = useNavigate();
  return useMutation({
    mutationFn: ({ email, password }: SetupValues) =>
      call(authEndpoints.setup, { body: { token, email: email.trim(), password } }),
    onSuccess: async (session) => {
      client.clear();
      client.setQueryData(currentUserQuery.queryKey, session.user);
      storeToken(session.token);
      toast.signIn(words.setupDone);
      await navigate({ to: '/', replace: true });
    },
    onError: (error) => {
      onRefused(fieldErrorsOf(error));
      toast.error(errorText(error, words.setupFailed));
    },
  });
}

function SetupForm(props: { token: string }) {
  const form = useForm<SetupValues>({
    initialValues: { email: '', password: '', confirm: '' },
    validate: problems,
  });
  const setup = useSetup(props.token, (errors) => form.setErrors(errors));
  const toggle = { 'aria-label': words.showPassword };
  return (
    <form noValidate onSubmit={form.onSubmit((values) => setup.mutate(values))}>
      <TextInput
        type="email"
        label={words.email}
        autoComplete="username"
        autoFocus
        {...form.getInputProps('email')}
      />
      <PasswordInput
        label={words.password}
        description={words.passwordHint}
        autoComplete="new-password"
        visibilityToggleButtonProps={toggle}
        {...form.getInputProps('password')}
      />
      <PasswordInput
        label={words.confirmPassword}
        autoComplete="new-password"
        visibilityToggleButtonProps={toggle}
        {...form.getInputProps('confirm')}
      />
      {setup.isError ? (
        <p role="alert" className="form-problem">
          {errorText(setup.error, words.setupFailed)}
        </p>
      ) : null}
      <Button type="submit" fullWidth disabled={setup.isPending} aria-busy={setup.isPending}>
        {setup.isPending ? words.creating : words.createAccount}
      </Button>
    </form>
  );
}
