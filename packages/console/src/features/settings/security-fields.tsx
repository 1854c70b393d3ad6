import { Checkbox } from '../../components/choices.tsx';
import { ChoiceList, FieldGrid, FullRow } from '../../components/form-layout.tsx';
import { NumberField } from '../../components/number-field.tsx';
import { Panel } from '../../components/panel.tsx';
import { StringList } from '../../components/string-list.tsx';
import { messages } from '../../lib/messages/index.ts';
import { ClientFields } from './client-fields.tsx';
import type { SecurityForm } from './security-settings.ts';
import { securityBounds } from './security-settings.ts';

const words = messages.settings.security;

/** All fields of the security settings. */
export function SecurityFields(props: { form: SecurityForm }) {
  return (
    <>
      <SignIn {...props} />
      <Passwords {...props} />
      <Traffic {...props} />
      <ClientFields {...props} />
    </>
  );
}

function SignIn({ form }: { form: SecurityForm }) {
  return (
    <Panel title={words.sessions}>
      <FieldGrid>
        <NumberField
          label={words.sessionTimeout}
          help={words.sessionTimeoutHelp}
          bounds={securityBounds.sessionTimeout}
          {...form.getInputProps('sessionTimeout')}
        />
        <NumberField
          label={words.maxAttempts}
          help={words.maxAttemptsHelp}
          bounds={securityBounds.maxLoginAttempts}
          {...form.getInputProps('maxLoginAttempts')}
        />
        <NumberField
          label={words.lockout}
          bounds={securityBounds.lockoutDuration}
          {...form.getInputProps('lockoutDuration')}
        />
        <FullRow>
          <Checkbox
            label={words.require2fa}
            description={words.require2faHelp}
            {...form.getInputProps('require2FA', { type: 'checkbox' })}
          />
        </FullRow>
      </FieldGrid>
    </Panel>
  );
}

function Passwords({ form }: { form: SecurityForm }) {
  return (
    <Panel title={words.passwords}>
      <FieldGrid>
        <NumberField
          label={words.minLength}
          bounds={securityBounds.minPasswordLength}
          {...form.getInputProps('minPasswordLength')}
        />
        <FullRow>
          <ChoiceList>
            <Checkbox
              label={words.requireSpecial}
              {...form.getInputProps('requireSpecialChars', { type: 'checkbox' })}
            />
            <Checkbox
              label={words.requireNumbers}
              {...form.getInputProps('requireNumbers', { type: 'checkbox' })}
            />
            <Checkbox
              label={words.requireUppercase}
              {...form.getInputProps('requireUppercase', { type: 'checkbox' })}
            />
          </ChoiceList>
        </FullRow>
      </FieldGrid>
    </Panel>
  );
}

function Traffic({ form }: { form: SecurityForm }) {
  const { corsEnabled, allowedOrigins } = form.getValues();
  const problem = form.errors['allowedOrigins'];
  return (
    <Panel title={words.traffic}>
      <FieldGrid>
        <Checkbox
          label={words.cors}
          description={words.corsHelp}
          {...form.getInputProps('corsEnabled', { type: 'checkbox' })}
        />
        <StringList
          label={words.origins}
          description={words.originsHelp}
          placeholder="https://ops.example.com"
          add={words.addOrigin}
          values={allowedOrigins}
          disabled={!corsEnabled}
          error={typeof problem === 'string' ? problem : undefined}
          onChange={(origins) => form.setFieldValue('allowedOrigins', origins)}
        />
      </FieldGrid>
    </Panel>
  );
}
