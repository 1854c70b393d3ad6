import { PasswordInput, TextInput } from '@mantine/core';
import { Switch } from '../../components/choices.tsx';
import { FieldGrid, FullRow } from '../../components/form-layout.tsx';
import { Panel } from '../../components/panel.tsx';
import { messages } from '../../lib/messages/index.ts';
import type { NotificationsForm } from './notification-values.ts';
import { TestButton } from './test-button.tsx';

const words = messages.settings.notifications;

/** Messages to a Slack channel; where they go is asked once there is a webhook. */
export function SlackChannel(props: { form: NotificationsForm; mayTest: boolean; dirty: boolean }) {
  const { form } = props;
  const { webhookUrl, webhookUrlSet } = form.getValues().slack;
  return (
    <Panel
      title={words.slack}
      note={words.slackNote}
      actions={
        props.mayTest ? <TestButton type="sitedown" label={words.testSlack} dirty={props.dirty} /> : null
      }
    >
      <FieldGrid>
        <FullRow>
          <Switch label={words.slackEnabled} {...form.getInputProps('slack.enabled', { type: 'checkbox' })} />
        </FullRow>
        <FullRow>
          <PasswordInput
            label={words.webhook}
            description={words.webhookHelp}
            placeholder={webhookUrlSet ? words.secretKept : 'https://hooks.slack.com/services/…'}
            autoComplete="off"
            visibilityToggleButtonProps={{ 'aria-label': words.showSecret }}
            {...form.getInputProps('slack.webhookUrl')}
          />
        </FullRow>
        {webhookUrl === '' && !webhookUrlSet ? null : (
          <>
            <TextInput label={words.channel} maxLength={120} {...form.getInputProps('slack.channel')} />
            <TextInput label={words.username} maxLength={120} {...form.getInputProps('slack.username')} />
          </>
        )}
      </FieldGrid>
    </Panel>
  );
}
