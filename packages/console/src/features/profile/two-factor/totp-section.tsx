import { Button } from '@mantine/core';
import { useState } from 'react';
import { Badge } from '../../../components/badge.tsx';
import { FormModal } from '../../../components/form-modal.tsx';
import { Panel } from '../../../components/panel.tsx';
import { toast } from '../../../components/toast.ts';
import { messages } from '../../../lib/messages/index.ts';
import { BackupCodes } from './backup-codes.tsx';
import { CodeField, isCode } from './code-field.tsx';
import { EnrollmentSteps } from './enrollment-steps.tsx';
import classes from './two-factor.module.css';
import type { Enrollment } from './two-factor-queries.ts';
import { useDisable, useEnroll, useVerify } from './two-factor-queries.ts';

const words = messages.profile.twoFactor;

/** The second step of the sign-in, on the profile: its state, how to turn it on, and off. */
export function TotpSection(props: { enabled: boolean }) {
  const [enrollment, setEnrollment] = useState<Enrollment>();
  const [codes, setCodes] = useState<readonly string[]>([]);
  const finish = (answered: readonly string[]) => {
    setCodes(answered.length > 0 ? answered : (enrollment?.backupCodes ?? []));
    setEnrollment(undefined);
  };
  const verify = useVerify(finish, words.verifyFailed);
  return (
    <Panel
      title={words.section}
      actions={
        <Badge tone={props.enabled ? 'ok' : 'neutral'}>
          {props.enabled ? words.enabled : words.disabled}
        </Badge>
      }
    >
      {codes.length > 0 ? (
        <BackupCodes codes={codes} actions={<Button onClick={() => setCodes([])}>{words.done}</Button>} />
      ) : enrollment ? (
        <EnrollmentSteps
          enrollment={enrollment}
          busy={verify.isPending}
          onCancel={() => setEnrollment(undefined)}
          onVerify={(code) => {
            if (enrollment.secret === '') toast.error(words.noSecret);
            else verify.mutate({ code, secret: enrollment.secret });
          }}
        />
      ) : props.enabled ? (
        <TurnOff />
      ) : (
        <TurnOn onStart={setEnrollment} />
      )}
    </Panel>
  );
}

function TurnOn(props: { onStart: (enrollment: Enrollment) => void }) {
  const enroll = useEnroll(props.onStart);
  return (
    <div className={classes.state}>
      <p className={classes.dim}>{words.offText}</p>
      <Button disabled={enroll.isPending} aria-busy={enroll.isPending} onClick={() => enroll.mutate()}>
        {enroll.isPending ? words.starting : words.enable}
      </Button>
    </div>
  );
}

function TurnOff() {
  const [asking, setAsking] = useState(false);
  return (
    <div className={classes.state}>
      <p className={classes.dim}>{words.onText}</p>
      <Button variant="default" onClick={() => setAsking(true)}>
        {words.disable}
      </Button>
      <DisablePrompt opened={asking} onClose={() => setAsking(false)} />
    </div>
  );
}

function DisablePrompt(props: { opened: boolean; onClose: () => void }) {
  const [code, setCode] = useState('');
  const [problem, setProblem] = useState<string>();
  const close = () => {
    setCode('');
    setProblem(undefined);
    props.onClose();
  };
  const disable = useDisable(close);
  const submit = () => {
    if (isCode(code)) return disable.mutate({ code });
    setProblem(words.sixDigits);
    toast.error(words.sixDigits);
  };
  return (
    <FormModal
      opened={props.opened}
      title={words.promptTitle}
      submit={words.disable}
      busyLabel={words.disabling}
      busy={disable.isPending}
      dirty={false}
      size={440}
      onClose={close}
      onSubmit={submit}
    >
      <p className={classes.dim}>{words.promptText}</p>
      <CodeField label={words.code} value={code} error={problem} autoFocus onChange={setCode} />
    </FormModal>
  );
}
