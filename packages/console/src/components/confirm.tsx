import type { ReactNode } from 'react';
import { createContext, lazy, Suspense, useCallback, useContext, useRef, useState } from 'react';
import type { Question } from './confirm-dialog.tsx';

export type { Question };

type Ask = (question: Question) => Promise<boolean>;

const ConfirmContext = createContext<Ask>(() => Promise.resolve(false));
const ConfirmDialog = lazy(async () => ({ default: (await import('./confirm-dialog.tsx')).ConfirmDialog }));

/** @returns a function that asks and answers whether the person agreed */
export function useConfirm(): Ask {
  return useContext(ConfirmContext);
}

/** Holds the one confirmation dialog; its code comes with the first question. */
export function ConfirmProvider(props: { children: ReactNode }) {
  const [question, setQuestion] = useState<Question>();
  const [open, setOpen] = useState(false);
  const settle = useRef<((agreed: boolean) => void) | undefined>(undefined);

  const ask = useCallback<Ask>((next) => {
    // One question at a time: Escape in it also reaches the form below, which would ask anew.
    if (settle.current) return Promise.resolve(false);
    const answered = new Promise<boolean>((resolve) => {
      settle.current = resolve;
    });
    // In the next turn: the dialog listens for Escape too, and must not take the very key that asked for a no.
    setTimeout(() => {
      setQuestion(next);
      setOpen(true);
    });
    return answered;
  }, []);

  const answer = (agreed: boolean) => {
    settle.current?.(agreed);
    settle.current = undefined;
    setOpen(false);
  };

  return (
    <ConfirmContext value={ask}>
      {props.children}
      {question ? (
        <Suspense>
          <ConfirmDialog question={question} open={open} onAnswer={answer} />
        </Suspense>
      ) : null}
    </ConfirmContext>
  );
}
