import type { PasswordPolicy } from '@portcullis/contract/auth';
import { IconCircle, IconCircleCheckFilled } from '@tabler/icons-react';
import { useId } from 'react';
import { messages } from '../../lib/messages/index.ts';
import { passwordRules } from './password-rules.ts';
import classes from './password-screen.module.css';

const words = messages.profile.password;

/** What the new password must hold, ticked off while it is typed. */
export function PasswordChecklist(props: { password: string; policy: PasswordPolicy }) {
  const id = useId();
  return (
    <div className={classes.rules}>
      <p className={classes.rulesTitle} id={id}>
        {words.rules}
      </p>
      <ul className={classes.list} aria-labelledby={id}>
        {passwordRules(props.password, props.policy).map((rule) => (
          <li key={rule.key} className={classes.rule} data-met={rule.met || undefined}>
            {rule.met ? (
              <IconCircleCheckFilled size={16} aria-hidden />
            ) : (
              <IconCircle size={16} aria-hidden />
            )}
            {rule.label}
            <span className="visually-hidden">{rule.met ? words.met : words.notMet}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}
