import { Button, PasswordInput, TextInput } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import type { FormEvent } from 'react';
import { useState } from 'react';
import { EntryCard } from '../../components/entry-card.tsx';
import { toast } from '../../components/toast.ts';
import { messages } from '../../lib/messages/index.ts';
import { useSignIn } from './sign-in.ts';

const words = messages.signIn;
const codeLength = 6;

/** Sign-in in two steps: email and password, then the code where the account asks for one. */
export function SignInScreen() {
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const { from } = useSearch({ from: '/login' });
  const navigate = useNavigate();
  const signIn = useSignIn(() => navigate({ href: safeReturn(from), replace: true }));

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (signIn.busy) return;
    if (signIn.needsCode && code.length !== codeLength) {
      toast.error(words.enterSixDigits);
      return;
    }
    signIn.send({ email, password, ...(signIn.needsCode ? { totpCode: code } : {}) });
  };

  const label = signIn.needsCode ? words.verify : words.submit;
  return (
    <EntryCard title={words.title} subtitle={from === undefined ? words.subtitle : words.subtitleBack}>
      <form onSubmit={submit}>
        <TextInput
          type="email"
          name="email"
          label={words.email}
          autoComplete="username"
          required
          withAsterisk={false}
          autoFocus
          value={email}
          onChange={(event) => setEmail(event.currentTarget.value)}
        />
        <PasswordInput
          name="password"
          label={words.password}
          autoComplete="current-password"
          required
          withAsterisk={false}
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
          visibilityToggleButtonProps={{ 'aria-label': words.showPassword }}
        />
        {signIn.needsCode ? <CodeField value={code} onChange={setCode} /> : null}
        {signIn.problem ? (
          <p role="alert" className="form-problem">
            {signIn.problem}
          </p>
        ) : null}
        <Button type="submit" fullWidth disabled={signIn.busy} aria-busy={signIn.busy}>
          {signIn.busy ? words.busy : label}
        </Button>
      </form>
    </EntryCard>
  );
}

function CodeField(props: { value: string; onChange: (code: string) => void }) {
  return (
    <TextInput
      name="totpCode"
      label={words.code}
      description={words.codeHelp}
      autoComplete="one-time-code"
      inputMode="numeric"
      maxLength={codeLength}
      autoFocus
      value={props.value}
      onChange={(event) => props.onChange(event.currentTarget.value)}
    />
  );
}

/** Only a path of this console: an address from outside could lead anywhere. */
function safeReturn(from: string | undefined): string {
  return from?.startsWith('/') && !from.startsWith('//') && !from.includes('\\') ? from : '/';
}
