import { useForm } from '@mantine/form';
import { fieldErrorsOf } from './form-errors.ts';
import { useUnsavedGuard } from './unsaved-guard.ts';

/**
 * A form on a page that starts from what is stored: asks before unsaved changes are left, puts the cursor into
 * the first field that is wrong, and takes the server's refusals to their fields.
 * @param validate what is wrong, by dotted field path; empty when nothing is
 */
export function usePageForm<Values extends Record<string, unknown>>(
  stored: Values,
  validate: (values: Values) => Record<string, string>,
) {
  const form = useForm<Values>({ initialValues: stored, validate });
  useUnsavedGuard(form.isDirty());
  return {
    form,
    dirty: form.isDirty(),
    /** what of the values is not the stored one: a stale form sets nothing back that another changed meanwhile */
    changed: (values: Values) =>
      Object.fromEntries(Object.entries(values).filter(([field]) => form.isDirty(field))) as Partial<Values>,
    /** the values are the stored ones from now on */
    stored: (values: Values) => {
      form.setInitialValues(values);
      form.setValues(values);
      form.clearErrors();
    },
    refused: (error: unknown) => form.setErrors(fieldErrorsOf(error)),
    onSubmit: (send: (values: Values) => void) =>
      form.onSubmit(send, (errors) => form.getInputNode(Object.keys(errors)[0] ?? '')?.focus()),
    reset: () => form.reset(),
  };
}
