import { Drawer } from '@mantine/core';
import { type ReactNode, useRef } from 'react';
import { messages } from '../lib/messages/index.ts';

/**
 * One thing in full, beside the list that it was chosen from. While it slides out it goes on showing what it showed.
 * @param props.subject undefined: closed
 * @param props.size its width in pixels
 */
export function DetailDrawer<Subject>(props: {
  subject: Subject | undefined;
  size: number;
  title: (subject: Subject) => string;
  onClose: () => void;
  children: (subject: Subject) => ReactNode;
}) {
  const last = useRef<Subject>(undefined);
  if (props.subject !== undefined) last.current = props.subject;
  const subject = props.subject ?? last.current;
  return (
    <Drawer
      opened={props.subject !== undefined}
      onClose={props.onClose}
      position="right"
      size={props.size}
      title={subject === undefined ? '' : props.title(subject)}
      lockScroll={false}
      closeButtonProps={{ 'aria-label': messages.common.close }}
    >
      {subject === undefined ? null : props.children(subject)}
    </Drawer>
  );
}
