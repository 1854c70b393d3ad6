import { Button } from '@mantine/core';
import { useState } from 'react';
import { CopyButton } from '../../../components/copy-button.tsx';
import { toast } from '../../../components/toast.ts';
import { messages } from '../../../lib/messages/index.ts';
import { CodeField, isCode } from './code-field.tsx';
import { QrCode } from './qr-code.tsx';
import classes from './two-factor.module.css';
import type { Enrollment } from './two-factor-queries.ts';

const words = messages.profile.twoFactor;

/** QR code and secret for the authenticator app, then the first code it shows. */
export function EnrollmentSteps(props: {
  enrollment: Enrollment;
  busy: boolean;
  onCancel: () => void;
  onVerify: (code: string) => void;
}) {
  const { enrollment, busy } = props;
  const [code, setCode] = useState('');
  const [problem, setProblem] = useState<string>();
  const submit = () => {
    if (busy) return;
    if (isCode(code)) return props.onVerify(code);
    setProblem(words.sixDigits);
    toast.error(words.sixDigits);
  };
  return (
    <div className={classes.steps}>
      <QrCode text={enrollment.uri} label={words.qrLabel} />
      <div className={classes.stepWords}>
        <ScanWords secret={enrollment.secret} />
        <form
          className={classes.verify}
          noValidate
          aria-label={words.codeTitle}
          onSubmit={(event) => {
            event.preventDefault();
            submit();
          }}
        >
          <h3 className={classes.stepTitle}>{words.codeTitle}</h3>
          <CodeField
            label={words.code}
            value={code}
            error={problem}
            autoFocus
            onChange={(next) => {
              setCode(next);
              setProblem(undefined);
            }}
          />
          <div className={classes.actions}>
            <Button type="submit" disabled={busy} aria-busy={busy}>
              {busy ? words.verifying : words.verify}
            </Button>
            <Button variant="default" disabled={busy} onClick={props.onCancel}>
              {messages.common.cancel}
            </Button>
          </div>
        </form>
      </div>
    </div>
  );
}

function ScanWords(props: { secret: string }) {
  return (
    <>
      <div>
        <h3 className={classes.stepTitle}>{words.scanTitle}</h3>
        <p className={classes.dim}>{words.scanText}</p>
      </div>
      <div>
        <p className={classes.dim}>{words.manual}</p>
        <div className={classes.secret}>
          <code className={classes.secretText}>{props.secret}</code>
          <CopyButton text={props.secret} what={words.secret} />
        </div>
      </div>
    </>
  );
}
