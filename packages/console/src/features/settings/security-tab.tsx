import type { SecuritySettings } from '@portcullis/contract/settings';
import { useQuery } from '@tanstack/react-query';
import { PageForm, SaveBar } from '../../components/form-layout.tsx';
import { numberProblem } from '../../components/number-field.tsx';
import { Allowed } from '../../components/permission-gate.tsx';
import { usePageForm } from '../../components/use-page-form.ts';
import { messages } from '../../lib/messages/index.ts';
import { AdvancedSecurity } from './advanced-security.tsx';
import { SecurityFields, securityBounds } from './security-fields.tsx';
import { securityQuery, useSaveSecurity } from './settings-queries.ts';
import { SettingsState } from './settings-state.tsx';

const words = messages.settings.security;

/** `https://ops.example.com:8443`: scheme and host, nothing after them; or `*` for any. */
const origin = /^(\*|https?:\/\/[^/\s]+)$/;

function problems(values: SecuritySettings): Record<string, string> {
  const errors: Record<string, string> = {};
  for (const field of Object.keys(securityBounds) as (keyof typeof securityBounds)[]) {
    const problem = numberProblem(values[field], securityBounds[field]);
    if (problem) errors[field] = problem;
  }
  const odd = values.allowedOrigins.find((line) => !origin.test(line));
  if (odd !== undefined) errors['allowedOrigins'] = words.originInvalid(odd);
  return errors;
}

/** Sessions, sign-in, password rules, rate limiting, and the key of the session tokens. */
export function SecurityTab() {
  const query = useQuery(securityQuery);
  return (
    <SettingsState title={messages.settings.tabs.security} query={query}>
      {(stored, mayEdit) => (
        <>
          <SecurityForm stored={stored} mayEdit={mayEdit} />
          <Allowed anyOf={['settings:update']}>
            <AdvancedSecurity />
          </Allowed>
        </>
      )}
    </SettingsState>
  );
}

function SecurityForm(props: { stored: SecuritySettings; mayEdit: boolean }) {
  const { form, dirty, onSubmit, reset, ...outcome } = usePageForm(props.stored, problems);
  const save = useSaveSecurity(outcome);
  return (
    <PageForm
      label={messages.settings.tabs.security}
      busy={save.isPending}
      readOnly={!props.mayEdit}
      onSubmit={onSubmit((values) => save.mutate(values))}
    >
      <SecurityFields form={form} />
      {props.mayEdit ? (
        <SaveBar
          save={words.save}
          busyLabel={messages.settings.saving}
          busy={save.isPending}
          dirty={dirty}
          onReset={reset}
        />
      ) : null}
    </PageForm>
  );
}
