import type { UseFormReturnType } from '@mantine/form';
import { useEffect } from 'react';

/**
 * Starts a form anew each time it is opened or gets another subject.
 * @param valuesOf all values of a subject; the same function in every render
 */
export function useStartingValues<Values, Subject>(
  form: UseFormReturnType<Values>,
  opened: boolean,
  subject: Subject,
  valuesOf: (subject: Subject) => Values,
): void {
  const { setInitialValues, reset } = form;
  useEffect(() => {
    if (!opened) return;
    // Not setValues, which keeps what the subject before had and this one has not.
    setInitialValues(valuesOf(subject));
    reset();
  }, [opened, subject, valuesOf, setInitialValues, reset]);
}
