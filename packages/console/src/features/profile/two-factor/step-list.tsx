import { messages } from '../../../lib/messages/index.ts';
import classes from './two-factor.module.css';

const words = messages.profile.twoFactorScreen;

/** Where in the three steps one is. */
export function StepList(props: { current: number }) {
  return (
    <ol className={classes.stepList} aria-label={words.stepsLabel}>
      {words.steps.map((step, index) => (
        <li
          key={step}
          className={classes.stepItem}
          data-state={index < props.current ? 'done' : index === props.current ? 'current' : 'ahead'}
          {...(index === props.current ? { 'aria-current': 'step' as const } : {})}
        >
          <span className={classes.stepNumber} aria-hidden>
            {index + 1}
          </span>
          {step}
        </li>
      ))}
    </ol>
  );
}
