import { Button, Modal } from '@mantine/core';
import type { ReactNode } from 'react';
import { messages } from '../lib/messages/index.ts';
import classes from './confirm.module.css';
import { FocusBack } from './focus-back.tsx';

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

/** The one confirmation dialog. Closing it any other way than by its button is a no. */
export function ConfirmDialog(props: {
  question: Question;
  open: boolean;
  onAnswer: (agreed: boolean) => void;
}) {
  const { question, onAnswer } = props;
  return (
    <Modal
      opened={props.open}
      onClose={() => onAnswer(false)}
      title={question.title}
      size={440}
      centered
      lockScroll={false}
      zIndex={320}
      classNames={{ body: classes.body ?? '' }}
      closeButtonProps={{ 'aria-label': messages.common.close }}
    >
      <FocusBack />
      <div className={classes.text}>{question.text}</div>
      <div className={classes.actions}>
        <Button variant="default" onClick={() => onAnswer(false)} data-autofocus>
          {question.cancel ?? messages.common.cancel}
        </Button>
        <Button {...(question.destructive ? { color: 'red' } : {})} onClick={() => onAnswer(true)}>
          {question.confirm}
        </Button>
      </div>
    </Modal>
  );
}
