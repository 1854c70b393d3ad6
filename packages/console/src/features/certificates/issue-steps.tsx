import { Loader } from '@mantine/core';
import type { IssueStep } from '@portcullis/contract/certificates';
import { IconCircleCheck, IconCircleX } from '@tabler/icons-react';
import { Moment } from '../../components/moment.tsx';
import { messages } from '../../lib/messages/index.ts';
import classes from './certificate-drawer.module.css';

const words = messages.certificates;

/** What asking for a certificate did, step by step, as it happens; where it failed, why and what to look at. */
export function IssueSteps(props: { steps: readonly IssueStep[]; pending: boolean }) {
  const { steps, pending } = props;
  if (steps.length === 0 && !pending) return null;
  const failed = steps.find(({ status }) => status === 'failed');
  return (
    <section>
      <h3 className={classes.heading}>{pending ? words.detail.stepsNow : words.detail.steps}</h3>
      <ol className={classes.steps} aria-live="polite">
        {steps.map((step) => (
          <Step key={`${step.step} ${step.detail}`} step={step} />
        ))}
        {pending ? (
          <li className={classes.step}>
            <Loader size={16} aria-hidden />
            <span className={classes.dim}>{words.detail.working}</span>
          </li>
        ) : null}
      </ol>
      {failed ? <p className={classes.hint}>{words.hints[failed.step]}</p> : null}
    </section>
  );
}

function Step(props: { step: IssueStep }) {
  const { step, status, detail, time } = props.step;
  const Icon = status === 'done' ? IconCircleCheck : IconCircleX;
  const said = status === 'done' ? words.detail.done : words.detail.stepFailed;
  return (
    <li className={classes.step} data-status={status}>
      <Icon size={17} stroke={1.75} role="img" aria-label={said} />
      <div className={classes.stepWords}>
        <span className={classes.stepName}>{words.steps[step]}</span>
        <span className={classes.stepDetail}>{detail}</span>
      </div>
      <span className={classes.dim}>
        <Moment at={time} part="time" />
      </span>
    </li>
  );
}
