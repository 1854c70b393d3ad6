import { PasswordInput } from '@mantine/core';
import { Switch } from '../../components/choices.tsx';
import { FieldGrid, FullRow } from '../../components/form-layout.tsx';
import { Panel } from '../../components/panel.tsx';
import { messages } from '../../lib/messages/index.ts';
import type { NotificationsForm } from './notification-values.ts';
import { TestButton } from './test-button.tsx';

const words = messages.settings.notifications;
const toggle = { 'aria-label': words.showSecret };

/** Messages as JSON to a server of one's own. */
export function WebhookChannel(props: { form: NotificationsForm; mayTest: boolean; dirty: boolean }) {
  const { form } = props;
  const { enabled, webhookUrl, webhookUrlSet, signingKeySet } = form.getValues().webhook;
  return (
    <Panel
      title={words.ownWebhook}
      note={words.ownWebhookNote}
      actions={
        props.mayTest ? <TestButton type="webhook" label={words.testWebhook} dirty={props.dirty} /> : null
      }
    >
      <FieldGrid>
        <FullRow>
          <Switch
            label={words.webhookEnabled}
            {...form.getInputProps('webhook.enabled', { type: 'checkbox' })}
          />
        </FullRow>
        {enabled || webhookUrl !== '' || webhookUrlSet ? (
          <>
            <PasswordInput
              label={words.endpointUrl}
              description={words.endpointUrlHelp}
              placeholder={webhookUrlSet ? words.secretKept : 'https://alerts.example.com/portcullis'}
              autoComplete="off"
              visibilityToggleButtonProps={toggle}
              {...form.getInputProps('webhook.webhookUrl')}
            />
            <PasswordInput
              label={words.signingKey}
              description={words.signingKeyHelp}
              {...(signingKeySet ? { placeholder: words.secretKept } : {})}
              autoComplete="off"
              visibilityToggleButtonProps={toggle}
              {...form.getInputProps('webhook.signingKey')}
            />
          </>
        ) : null}
      </FieldGrid>
    </Panel>
  );
}
