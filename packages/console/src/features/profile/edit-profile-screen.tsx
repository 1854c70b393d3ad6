import { PasswordInput, TextInput } from '@mantine/core';
import type { Profile } from '@portcullis/contract/auth';
import { Email } from '@portcullis/contract/users';
import { useQuery } from '@tanstack/react-query';
import { FieldGrid, PageForm, SaveBar } from '../../components/form-layout.tsx';
import { Panel } from '../../components/panel.tsx';
import { usePageForm } from '../../components/use-page-form.ts';
import { messages } from '../../lib/messages/index.ts';
import { profileQuery, useUpdateProfile } from './account-queries.ts';
import { AccountState } from './account-state.tsx';
import { ProfileFrame } from './profile-frame.tsx';

const words = messages.profile.edit;

/** Display name and email of the own account. */
export function EditProfileScreen() {
  const profile = useQuery(profileQuery);
  return (
    <ProfileFrame title={words.title} purpose={words.subtitle}>
      <AccountState
        title={words.title}
        query={profile}
        failed={messages.profile.loadFailed}
        loading={messages.profile.loading}
      >
        {(account) => <EditProfileForm account={account} />}
      </AccountState>
    </ProfileFrame>
  );
}

interface Values extends Record<string, unknown> {
  displayName: string;
  email: string;
  currentPassword: string;
}

function EditProfileForm(props: { account: Profile }) {
  const { email: present, displayName = '' } = props.account;
  const changed = (email: string) => email.trim().toLowerCase() !== present.toLowerCase();
  const { form, dirty, onSubmit, reset, stored, refused } = usePageForm<Values>(
    { displayName, email: present, currentPassword: '' },
    (values) => problems(values, changed(values.email)),
  );
  const save = useUpdateProfile({
    stored: () => {
      const { displayName: name, email } = form.getValues();
      stored({ displayName: name.trim(), email: email.trim(), currentPassword: '' });
    },
    refused,
  });
  return (
    <PageForm
      label={words.title}
      busy={save.isPending}
      onSubmit={onSubmit(({ displayName: name, email: address, currentPassword }) =>
        save.mutate({
          displayName: name.trim(),
          ...(changed(address) ? { email: address.trim(), currentPassword } : {}),
        }),
      )}
    >
      <EditProfileFields form={form} emailChanges={changed(form.getValues().email)} />
      <SaveBar
        save={words.save}
        busyLabel={messages.settings.saving}
        busy={save.isPending}
        dirty={dirty}
        onReset={reset}
      />
    </PageForm>
  );
}

function EditProfileFields(props: {
  form: ReturnType<typeof usePageForm<Values>>['form'];
  emailChanges: boolean;
}) {
  const { form } = props;
  return (
    <Panel title={messages.profile.account}>
      <FieldGrid>
        <TextInput
          label={words.displayName}
          description={words.displayNameHelp}
          autoComplete="name"
          maxLength={80}
          {...form.getInputProps('displayName')}
        />
        <TextInput
          type="email"
          label={words.email}
          description={words.emailHelp}
          autoComplete="email"
          {...form.getInputProps('email')}
        />
        {props.emailChanges ? (
          <PasswordInput
            label={words.currentPassword}
            description={words.currentPasswordHelp}
            autoComplete="current-password"
            visibilityToggleButtonProps={{ 'aria-label': messages.signIn.showPassword }}
            {...form.getInputProps('currentPassword')}
          />
        ) : null}
      </FieldGrid>
    </Panel>
  );
}

function problems(values: Values, emailChanges: boolean): Record<string, string> {
  const found: Record<string, string> = {};
  const email = values.email.trim();
  if (email === '') found['email'] = words.emailRequired;
  else if (!Email.safeParse(email).success) found['email'] = words.emailInvalid;
  if (emailChanges && values.currentPassword === '') found['currentPassword'] = words.passwordRequired;
  return found;
}
