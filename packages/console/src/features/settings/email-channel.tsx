import { PasswordInput, Select, TextInput } from '@mantine/core';
import { Switch } from '../../components/choices.tsx';
import { FieldGrid, FullRow } from '../../components/form-layout.tsx';
import { NumberField } from '../../components/number-field.tsx';
import { Panel } from '../../components/panel.tsx';
import { messages } from '../../lib/messages/index.ts';
import type { NotificationsForm } from './notification-values.ts';
import { notificationBounds } from './notification-values.ts';
import { TestButton } from './test-button.tsx';

const words = messages.settings.notifications;
const transports = (['smtp', 'api'] as const).map((value) => ({ value, label: words.transports[value] }));
const securities = (['starttls', 'tls', 'none'] as const).map((value) => ({
  value,
  label: words.smtpSecurities[value],
}));
const toggle = { 'aria-label': words.showSecret };

/** Messages to a mailbox, through a mail server or a provider's API. */
export function EmailChannel(props: { form: NotificationsForm; mayTest: boolean; dirty: boolean }) {
  const { form } = props;
  const { enabled, transport } = form.getValues().email;
  return (
    <Panel
      title={words.email}
      note={words.emailNote}
      actions={
        props.mayTest ? <TestButton type="attack" label={words.testEmail} dirty={props.dirty} /> : null
      }
    >
      <FieldGrid>
        <FullRow>
          <Switch label={words.emailEnabled} {...form.getInputProps('email.enabled', { type: 'checkbox' })} />
        </FullRow>
        {enabled ? (
          <>
            <TextInput
              label={words.address}
              description={words.addressHelp}
              maxLength={254}
              autoComplete="off"
              {...form.getInputProps('email.address')}
            />
            <Transport form={form} />
            {transport === 'smtp' ? <MailServer form={form} /> : <MailProvider form={form} />}
            <TextInput
              type="email"
              label={words.senderEmail}
              autoComplete="off"
              {...form.getInputProps('email.senderEmail')}
            />
            <TextInput
              label={words.senderName}
              maxLength={120}
              autoComplete="off"
              {...form.getInputProps('email.senderName')}
            />
          </>
        ) : null}
      </FieldGrid>
    </Panel>
  );
}

function Transport({ form }: { form: NotificationsForm }) {
  return <Select label={words.transport} data={transports} {...form.getInputProps('email.transport')} />;
}

function MailServer({ form }: { form: NotificationsForm }) {
  return (
    <>
      <TextInput
        label={words.smtpHost}
        maxLength={253}
        autoComplete="off"
        spellCheck={false}
        {...form.getInputProps('email.smtpHost')}
      />
      <NumberField
        label={words.smtpPort}
        bounds={notificationBounds.smtpPort}
        {...form.getInputProps('email.smtpPort')}
      />
      <Select label={words.smtpSecurity} data={securities} {...form.getInputProps('email.smtpSecurity')} />
      <TextInput
        label={words.smtpUsername}
        maxLength={254}
        autoComplete="off"
        {...form.getInputProps('email.smtpUsername')}
      />
      <Secret form={form} label={words.smtpPassword} />
    </>
  );
}

function MailProvider({ form }: { form: NotificationsForm }) {
  return (
    <>
      <TextInput
        type="url"
        label={words.apiUrl}
        description={words.apiUrlHelp}
        autoComplete="off"
        spellCheck={false}
        {...form.getInputProps('email.apiUrl')}
      />
      <Secret form={form} label={words.apiKey} />
    </>
  );
}

function Secret(props: { form: NotificationsForm; label: string }) {
  const { keySet } = props.form.getValues().email;
  return (
    <PasswordInput
      label={props.label}
      {...(keySet ? { placeholder: words.secretKept } : {})}
      autoComplete="new-password"
      visibilityToggleButtonProps={toggle}
      {...props.form.getInputProps('email.key')}
    />
  );
}
