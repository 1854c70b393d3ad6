import { TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './two-factor.module.css';

export const codeLength = 6;

/** Whether the code can be sent: six digits. */
export const isCode = (code: string): boolean => /^\d{6}$/.test(code);

/** A 6-digit code: keeps only digits, and an authenticator's or a keyboard's suggestion fits in. */
export function CodeField(props: {
  label: string;
  description?: string;
  value: string;
  error?: ReactNode;
  autoFocus?: boolean;
  onChange: (code: string) => void;
}) {
  const { onChange, autoFocus, ...rest } = props;
  return (
    <TextInput
      {...rest}
      {...(autoFocus ? { 'data-autofocus': true, autoFocus: true } : {})}
      classNames={{ input: classes.code ?? '' }}
      inputMode="numeric"
      autoComplete="one-time-code"
      maxLength={codeLength}
      onChange={(event) => onChange(event.currentTarget.value.replace(/\D/g, '').slice(0, codeLength))}
    />
  );
}
