import { Button } from '@mantine/core';
import { IconMapOff } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { EmptyState } from '../components/states.tsx';
import { messages } from '../lib/messages/index.ts';

/** An address that no screen has. */
export function NotFound() {
  const words = messages.common;
  return (
    <EmptyState
      wholePage
      icon={IconMapOff}
      title={words.notFound}
      text={words.notFoundText}
      action={
        <Button component={Link} to="/" variant="default" size="xs">
          {words.backToDashboard}
        </Button>
      }
    />
  );
}
