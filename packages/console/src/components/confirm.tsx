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
    settle.current?.(false);
    setQuestion(next);
    setOpen(true);
    return new Promise((resolve) => {
      settle.current = resolve;
    });
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
