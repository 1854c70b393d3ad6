import { Button, Modal } from '@mantine/core';
import type { ReactNode } from 'react';
import { createContext, useCallback, useContext, useRef, useState } from 'react';
import { messages } from '../lib/messages/index.ts';
import classes from './confirm.module.css';

/** What is asked before something happens that cannot be taken back. */
export interface Question {
  title: string;
  text: ReactNode;
  /** names the act, as on the button that led here */
  confirm: string;
  /** absent: Cancel */
  cancel?: string;
  destructive?: boolean;
}

type Ask = (question: Question) => Promise<boolean>;

const ConfirmContext = createContext<Ask>(() => Promise.resolve(false));

/** @returns a function that asks and answers whether the person agreed */
export function useConfirm(): Ask {
  return useContext(ConfirmContext);
}

/** Holds the one confirmation dialog. */
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
      <Modal
        opened={open}
        onClose={() => answer(false)}
        title={question?.title}
        size={440}
        centered
        lockScroll={false}
        zIndex={320}
        closeButtonProps={{ 'aria-label': messages.common.close }}
      >
        <div className={classes.text}>{question?.text}</div>
        <div className={classes.actions}>
          <Button variant="default" onClick={() => answer(false)} data-autofocus>
            {question?.cancel ?? messages.common.cancel}
          </Button>
          <Button {...(question?.destructive ? { color: 'red' } : {})} onClick={() => answer(true)}>
            {question?.confirm}
          </Button>
        </div>
      </Modal>
    </ConfirmContext>
  );
}
