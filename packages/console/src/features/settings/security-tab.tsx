import type { SecuritySettings } from '@portcullis/contract/settings';
import { useQuery } from '@tanstack/react-query';
import { PageForm, SaveBar } from '../../components/form-layout.tsx';
import { Allowed } from '../../components/permission-gate.tsx';
import { usePageForm } from '../../components/use-page-form.ts';
import { messages } from '../../lib/messages/index.ts';
import { AdvancedSecurity } from './advanced-security.tsx';
import { SecurityFields } from './security-fields.tsx';
import { securityProblems } from './security-settings.ts';
import { securityQuery, useSaveSecurity } from './settings-queries.ts';
import { SettingsState } from './settings-state.tsx';

const words = messages.settings.security;

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
  const { form, dirty, changed, onSubmit, reset, ...outcome } = usePageForm(props.stored, securityProblems);
  const save = useSaveSecurity(outcome);
  return (
    <PageForm
      label={messages.settings.tabs.security}
      busy={save.isPending}
      readOnly={!props.mayEdit}
      onSubmit={onSubmit((values) => save.mutate(changed(values)))}
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
