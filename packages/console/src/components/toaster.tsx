import { IconCircleCheck, IconCircleX, IconX } from '@tabler/icons-react';
import { messages } from '../lib/messages/index.ts';
import { dismissToast, useToasts } from './toast.ts';
import classes from './toaster.module.css';

/**
 * Where toasts appear. Successes are read out politely, errors at once. All are read out; in sight is one line below the
 * header, so that nothing is covered that one may need: the newest, which answers what was done last. The pointer or
 * the keyboard on it shows the others.
 */
export function Toaster() {
  const toasts = useToasts();
  const front = toasts.at(-1);
  return (
    <section className={classes.stack} aria-label={messages.common.toasts}>
      {(['success', 'error'] as const).map((kind) => (
        <div key={kind} className={classes.group} role={kind === 'error' ? 'alert' : 'status'}>
          {toasts
            .filter((entry) => entry.kind === kind)
            .map((entry) => (
              <div
                key={entry.id}
                className={classes.toast}
                data-kind={kind}
                data-behind={entry !== front || undefined}
              >
                {kind === 'error' ? (
                  <IconCircleX size={18} stroke={1.75} aria-hidden />
                ) : (
                  <IconCircleCheck size={18} stroke={1.75} aria-hidden />
                )}
                <span className={classes.message}>{entry.message}</span>
                {entry === front && toasts.length > 1 ? (
                  <b className={classes.more} aria-hidden>
                    +{toasts.length - 1}
                  </b>
                ) : null}
                <button
                  type="button"
                  className={classes.close}
                  aria-label={messages.common.dismiss}
                  onClick={() => dismissToast(entry.id)}
                >
                  <IconX size={15} aria-hidden />
                </button>
              </div>
            ))}
        </div>
      ))}
    </section>
  );
}
