import { ActionIcon, Tooltip } from '@mantine/core';
import { IconCopy } from '@tabler/icons-react';
import { messages } from '../lib/messages/index.ts';
import { toast } from './toast.ts';

/** Copies the exact text and says so. @param what names it for screen readers: 'request ID' */
export function CopyButton(props: { text: string; what: string }) {
  const label = messages.common.copy(props.what);
  return (
    <Tooltip label={label}>
      <ActionIcon
        variant="subtle"
        color="gray"
        size="sm"
        aria-label={label}
        onClick={() => void copyText(props.text)}
      >
        <IconCopy size={14} aria-hidden />
      </ActionIcon>
    </Tooltip>
  );
}

/** Puts the exact text on the clipboard and says whether that worked. */
export async function copyText(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    toast.success(messages.common.copied);
  } catch {
    toast.error(messages.common.copyFailed);
  }
}
