import { Button, PasswordInput } from '@mantine/core';
import { useState } from 'react';
import { useConfirm } from '../../components/confirm.tsx';
import { Panel } from '../../components/panel.tsx';
import { Banner } from '../../components/states.tsx';
import { messages } from '../../lib/messages/index.ts';
import classes from './advanced-security.module.css';
import { useRotateKey } from './settings-queries.ts';

const words = messages.settings.security;
const minKeyLength = 32;

/** The key that signs session tokens: a new one can be set or made, never read. Both end every session. */
export function AdvancedSecurity() {
  const [key, setKey] = useState('');
  const [problem, setProblem] = useState<string>();
  const rotate = useRotateKey();
  const confirm = useConfirm();
  const change = async (next: string | undefined) => {
    if (next !== undefined && next.length < minKeyLength) {
      setProblem(words.jwtKeyShort);
      return;
    }
    const agreed = await confirm({
      title: words.rotateTitle,
      text: words.rotateText,
      confirm: words.rotateConfirm,
      destructive: true,
    });
    if (agreed) rotate.mutate(next);
  };
  return (
    <Panel title={words.advanced}>
      <div className={classes.content}>
        <Banner tone="warning">{words.jwtWarning}</Banner>
        <form
          className={classes.row}
          noValidate
          aria-label={words.advanced}
          onSubmit={(event) => {
            event.preventDefault();
            if (!rotate.isPending) void change(key);
          }}
        >
          <PasswordInput
            className={classes.key}
            label={words.jwtKey}
            description={words.jwtKeyHelp}
            placeholder={words.jwtKeyPlaceholder}
            autoComplete="new-password"
            maxLength={512}
            value={key}
            error={problem}
            visibilityToggleButtonProps={{ 'aria-label': words.showKey }}
            onChange={(event) => {
              setKey(event.currentTarget.value);
              setProblem(undefined);
            }}
          />
          <Acts empty={key === ''} busy={rotate.isPending} onRotate={() => void change(undefined)} />
        </form>
      </div>
    </Panel>
  );
}

function Acts(props: { empty: boolean; busy: boolean; onRotate: () => void }) {
  return (
    <div className={classes.acts}>
      <Button type="submit" variant="default" disabled={props.busy || props.empty}>
        {words.setKey}
      </Button>
      <Button variant="default" disabled={props.busy} aria-busy={props.busy} onClick={props.onRotate}>
        {props.busy ? words.rotating : words.rotate}
      </Button>
    </div>
  );
}
