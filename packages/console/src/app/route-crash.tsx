import { Button } from '@mantine/core';
import type { ErrorComponentProps } from '@tanstack/react-router';
import { Banner } from '../components/states.tsx';
import { messages } from '../lib/messages/index.ts';

/** What one broken route shows; menu and header go on working. */
export function RouteCrash(props: ErrorComponentProps) {
  const words = messages.common;
  return (
    <div>
      <Banner tone="danger">
        <strong>{words.crashTitle}.</strong> {words.crashText} ({String(props.error)})
      </Banner>
      <Button variant="default" size="xs" mt="md" onClick={() => location.reload()}>
        {words.reload}
      </Button>
    </div>
  );
}
