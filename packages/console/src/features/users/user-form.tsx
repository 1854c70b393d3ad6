import { PasswordInput, Select, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { User } from '@portcullis/contract/users';
import { roles } from '@portcullis/contract/users';
import { useQuery } from '@tanstack/react-query';
import { Switch } from '../../components/choices.tsx';
import { fieldErrorsOf } from '../../components/form-errors.ts';
import { FormModal } from '../../components/form-modal.tsx';
import { useStartingValues } from '../../components/use-starting-values.ts';
import { messages } from '../../lib/messages/index.ts';
import { passwordPolicyQuery } from '../../lib/queries/index.ts';
import { useCurrentUser } from '../../lib/session/index.ts';
import { ResetTotp } from './reset-totp.tsx';
import type { UserValues } from './user-values.ts';
import { draftOf, userProblems, valuesOf } from './user-values.ts';
import { useSaveUser } from './users-queries.ts';

const words = messages.users;
const roleChoices = roles.map((role) => ({ value: role, label: messages.shell.roles[role] ?? role }));
const toggle = { 'aria-label': words.showPassword };

/** Adds a user, or changes the given one. */
export function UserForm(props: { opened: boolean; user?: User; onClose: () => void }) {
  const { opened, user } = props;
  const { form, send, busy } = useUserForm(opened, user, props.onClose);
  const { role, password } = form.getValues();
  const own = useCurrentUser()?.id === user?.id && user !== undefined;
  return (
    <FormModal
      opened={opened}
      title={user ? words.editUser : words.createUser}
      submit={user ? words.update : words.create}
      busyLabel={user ? words.updating : words.creating}
      busy={busy}
      dirty={form.isDirty()}
      size={480}
      aside={user?.totp_enabled && !own ? <ResetTotp user={user} onDone={props.onClose} /> : null}
      onClose={props.onClose}
      onSubmit={send}
    >
      <TextInput
        type="email"
        label={words.email}
        description={own ? words.ownSignIn : undefined}
        autoComplete="off"
        readOnly={own}
        data-autofocus
        {...form.getInputProps('email')}
      />
      <Select
        label={words.role}
        description={words.roleHelp[role]}
        data={roleChoices}
        {...form.getInputProps('role')}
      />
      {own ? null : (
        <PasswordInput
          label={words.password}
          description={user ? words.passwordKeep : words.passwordNew}
          autoComplete="new-password"
          visibilityToggleButtonProps={toggle}
          {...form.getInputProps('password')}
        />
      )}
      {password === '' ? null : (
        <PasswordInput
          label={words.confirmPassword}
          autoComplete="new-password"
          visibilityToggleButtonProps={toggle}
          {...form.getInputProps('confirm')}
        />
      )}
      {user?.disabled === undefined || own ? null : (
        <Switch
          label={words.signInAllowed}
          description={words.signInAllowedHelp}
          {...form.getInputProps('allowed', { type: 'checkbox' })}
        />
      )}
    </FormModal>
  );
}

function useUserForm(opened: boolean, user: User | undefined, onClose: () => void) {
  const minLength = useQuery(passwordPolicyQuery).data?.minLength;
  const form = useForm<UserValues>({
    initialValues: valuesOf(user),
    validate: (values) => userProblems(values, user === undefined, minLength),
  });
  useStartingValues(form, opened, user, valuesOf);
  const save = useSaveUser(onClose, (error) => form.setErrors(fieldErrorsOf(error)));
  const submit = form.onSubmit(
    (values) => save.mutate({ id: user?.id, ...draftOf(values, user) }),
    (errors) => form.getInputNode(Object.keys(errors)[0] ?? '')?.focus(),
  );
  return { form, busy: save.isPending, send: () => submit() };
}
