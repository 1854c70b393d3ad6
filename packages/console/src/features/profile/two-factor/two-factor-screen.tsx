import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Panel } from '../../../components/panel.tsx';
import { Banner } from '../../../components/states.tsx';
import { messages } from '../../../lib/messages/index.ts';
import { useCurrentUser } from '../../../lib/session/index.ts';
import { AccountState } from '../account-state.tsx';
import { ProfileFrame } from '../profile-frame.tsx';
import { EnabledPanels } from './enabled-panels.tsx';
import { EnrollmentSteps } from './enrollment-steps.tsx';
import { CompleteStep, SetupStep } from './setup-steps.tsx';
import { StepList } from './step-list.tsx';
import type { Enrollment } from './two-factor-queries.ts';
import { totpStatusQuery, useEnable, useVerify } from './two-factor-queries.ts';

const words = messages.profile.twoFactorScreen;

/** Two-factor authentication: three steps to turn it on, or its state with the way off and new backup codes. */
export function TwoFactorScreen() {
  const status = useQuery(totpStatusQuery);
  const [complete, setComplete] = useState<readonly string[]>();
  const required = useCurrentUser()?.totp_setup_required === true;
  return (
    <ProfileFrame title={words.title} purpose={words.subtitle}>
      {required && complete === undefined ? <Banner tone="warning">{words.required}</Banner> : null}
      <AccountState title={words.title} query={status} failed={words.statusFailed} loading={words.loading}>
        {({ enabled, codesLeft }) =>
          enabled && complete === undefined ? (
            <EnabledPanels codesLeft={codesLeft} />
          ) : (
            <Setup complete={complete} onComplete={setComplete} />
          )
        }
      </AccountState>
    </ProfileFrame>
  );
}

function Setup(props: {
  complete: readonly string[] | undefined;
  onComplete: (codes: readonly string[]) => void;
}) {
  const { complete } = props;
  const email = useCurrentUser()?.email ?? '';
  const [enrollment, setEnrollment] = useState<Enrollment>();
  const enable = useEnable(email, setEnrollment);
  const verify = useVerify((answered) => {
    props.onComplete(answered.length > 0 ? answered : (enrollment?.backupCodes ?? []));
  }, words.verifyFailed);
  const step = complete ? 2 : enrollment ? 1 : 0;
  return (
    <Panel title={words.title} actions={<StepList current={step} />}>
      {complete ? (
        <CompleteStep codes={complete} />
      ) : enrollment ? (
        <EnrollmentSteps
          enrollment={enrollment}
          busy={verify.isPending}
          onCancel={() => setEnrollment(undefined)}
          onVerify={(code) => verify.mutate({ code })}
        />
      ) : (
        <SetupStep busy={enable.isPending} onStart={(password) => enable.mutate(password)} />
      )}
    </Panel>
  );
}
