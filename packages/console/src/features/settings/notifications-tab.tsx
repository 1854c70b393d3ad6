import type { NotificationSettings } from '@portcullis/contract/notifications';
import { useQuery } from '@tanstack/react-query';
import { PageForm, SaveBar } from '../../components/form-layout.tsx';
import { usePageForm } from '../../components/use-page-form.ts';
import { messages } from '../../lib/messages/index.ts';
import { DeliveryLog } from './delivery-log.tsx';
import { EmailChannel } from './email-channel.tsx';
import { EventToggles } from './event-toggles.tsx';
import { notificationProblems } from './notification-values.ts';
import { QuietHours } from './quiet-hours.tsx';
import { notificationSettingsQuery, useSaveNotifications } from './settings-queries.ts';
import { SettingsState } from './settings-state.tsx';
import { SlackChannel } from './slack-channel.tsx';
import { WebhookChannel } from './webhook-channel.tsx';

/** Channels, what they tell of, quiet hours, and what became of the last messages. */
export function NotificationsTab() {
  const query = useQuery({ ...notificationSettingsQuery, refetchOnWindowFocus: false });
  return (
    <SettingsState title={messages.settings.tabs.notifications} query={query}>
      {(stored, mayEdit) => (
        <>
          <NotificationsForm stored={stored} mayEdit={mayEdit} />
          <DeliveryLog />
        </>
      )}
    </SettingsState>
  );
}

function NotificationsForm(props: { stored: NotificationSettings; mayEdit: boolean }) {
  const { stored: start, mayEdit } = props;
  const { form, dirty, onSubmit, reset, ...outcome } = usePageForm(start, notificationProblems);
  const save = useSaveNotifications(outcome);
  return (
    <PageForm
      label={messages.settings.tabs.notifications}
      busy={save.isPending}
      readOnly={!mayEdit}
      onSubmit={onSubmit((values) => save.mutate(values))}
    >
      <EmailChannel form={form} mayTest={mayEdit} dirty={dirty} />
      <SlackChannel form={form} mayTest={mayEdit} dirty={dirty} />
      <WebhookChannel form={form} mayTest={mayEdit} dirty={dirty} />
      <EventToggles form={form} />
      <QuietHours form={form} />
      {mayEdit ? (
        <SaveBar
          save={messages.settings.notifications.save}
          busyLabel={messages.settings.saving}
          busy={save.isPending}
          dirty={dirty}
          onReset={reset}
        />
      ) : null}
    </PageForm>
  );
}
