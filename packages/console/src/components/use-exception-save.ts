import type { InspectionException } from '@portcullis/contract/sites';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { errorText } from '../lib/api/index.ts';
import { sitesQuery, storeExceptions } from '../lib/queries/index.ts';
import { fieldErrorsOf } from './form-errors.ts';
import { toast } from './toast.ts';

/**
 * Saves what a form says about a site's exceptions, and puts what is refused into its fields.
 * @param form.made from its values and the moment of saving, Unix milliseconds
 * @param form.before what they replace
 */
export function useExceptionSave<Values>(
  siteId: string,
  form: {
    made: (values: Values, now: number) => InspectionException[];
    before?: InspectionException | undefined;
    words: { readonly saved: string; readonly already: string; readonly saveFailed: string };
    setErrors: (errors: Record<string, string>) => void;
    onSaved: () => void;
  },
) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (values: Values) => storeExceptions(siteId, form.made(values, Date.now()), form.before),
    onSuccess: async (stored) => {
      toast.success(stored ? form.words.saved : form.words.already);
      form.onSaved();
      await client.invalidateQueries({ queryKey: sitesQuery.queryKey });
    },
    onError: (error) => {
      toast.error(errorText(error, form.words.saveFailed));
      form.setErrors(fieldErrorsOf(error));
    },
  });
}
