import { Button } from '@mantine/core';
import { IconCopy } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { CopyButton, copyText } from '../../../components/copy-button.tsx';
import { messages } from '../../../lib/messages/index.ts';
import classes from './two-factor.module.css';

const words = messages.profile.twoFactor;

/** Codes for the day the authenticator is lost, each to copy, and all at once. */
export function BackupCodes(props: { codes: readonly string[]; actions?: ReactNode }) {
  return (
    <div className={classes.backup}>
      <div>
        <h3 className={classes.stepTitle}>{words.codesTitle}</h3>
        <p className={classes.dim}>{words.codesText}</p>
      </div>
      <ul className={classes.codes} aria-label={words.codesTitle}>
        {props.codes.map((code, index) => (
          <li key={code} className={classes.codeRow}>
            <code className={classes.secretText}>{code}</code>
            <CopyButton text={code} what={words.codeNumber(index + 1)} />
          </li>
        ))}
      </ul>
      <div className={classes.actions}>
        <Button
          variant="default"
          leftSection={<IconCopy size={16} aria-hidden />}
          onClick={() => void copyText(props.codes.join('\n'))}
        >
          {words.copyAll}
        </Button>
        {props.actions}
      </div>
    </div>
  );
}
