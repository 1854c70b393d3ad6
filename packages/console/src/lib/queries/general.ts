import { endpoints } from '@portcullis/contract/api';
import type { GeneralSettings } from '@portcullis/contract/settings';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../api/index.ts';

/** General settings of the installation. */
export const generalQuery = queryOptions({
  queryKey: ['settings', 'general'],
  queryFn: ({ signal }): Promise<GeneralSettings> => call(endpoints.settings.general, {}, signal),
});
