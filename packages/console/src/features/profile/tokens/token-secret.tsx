import { Button, Modal } from '@mantine/core';
import { IconCopy } from '@tabler/icons-react';
import { copyText } from '../../../components/copy-button.tsx';
import { messages } from '../../../lib/messages/index.ts';
import classes from './tokens.module.css';

const words = messages.profile.tokens;

/** The secret of a new token, this once. Only its button closes it, so that a stray key does not lose it. */
export function TokenSecret(props: { secret: string | undefined; onClose: () => void }) {
  return (
    <Modal
      opened={props.secret !== undefined}
      onClose={props.onClose}
      title={words.secretTitle}
      size={520}
      lockScroll={false}
      closeOnClickOutside={false}
      closeOnEscape={false}
      withCloseButton={false}
    >
      <p className={classes.dim}>{words.secretText}</p>
      <code className={classes.secret}>{props.secret}</code>
      <div className={classes.actions}>
        <Button
          variant="default"
          data-autofocus
          leftSection={<IconCopy size={16} aria-hidden />}
          onClick={() => void copyText(props.secret ?? '')}
        >
          {messages.common.copy(words.secret)}
        </Button>
        <Button onClick={props.onClose}>{words.secretDone}</Button>
      </div>
    </Modal>
  );
}
