import type { UseFormReturnType } from '@mantine/form';
import { overlay } from '@portcullis/contract/patch';
import type { RateLimitBucket } from '@portcullis/contract/sites';
import { SiteCreate } from '@portcullis/contract/sites';
import type { FieldErrors } from '../../components/form-errors.ts';
import { validateWith } from '../../components/form-errors.ts';
import { messages } from '../../lib/messages/index.ts';

/** What the form holds: a whole site. Fields that it does not show ride along, so that none is lost on save. */
export type SiteValues = SiteCreate & { version?: number; id?: string };

/** The form of a site as its sections take it. */
export type SiteForm = UseFormReturnType<SiteValues>;

const words = messages.sites.form;

/**
 * A new site with every default of the contract, its three required fields still empty.
 * @param interval seconds between two health checks, as the general settings say
 */
export function newSiteValues(interval?: number): SiteValues {
  const complete = SiteCreate.parse({ name: '-', domains: ['new.example'], backend_url: 'http://127.0.0.1' });
  const healthCheck = { ...complete.healthCheck, ...(interval !== undefined && { interval }) };
  return { ...complete, healthCheck, name: '', domains: [''], backend_url: '' };
}

/** A stored site as the form takes it; what another server leaves out gets its default. */
export function storedSiteValues(stored: object): SiteValues {
  return overlay(newSiteValues(), { ...stored }) as SiteValues;
}

/** A new site with all that another is set to, but for its name and domains, which no two sites share. */
export function valuesLike(stored: object): SiteValues {
  const { name, ...values } = storedSiteValues(stored);
  const settings = SiteCreate.parse({ ...values, name: '-', domains: ['new.example'] });
  return { ...settings, name: words.copyOf(name), domains: [''] };
}

/** What is sent: blank extra domains and blank limits of buckets dropped, both names of the health switch equal. */
export function siteToSend(values: SiteValues): SiteValues {
  const [primary = '', ...others] = values.domains;
  return {
    ...values,
    domains: [primary, ...others.filter((domain) => domain.trim() !== '')],
    health_check_enabled: values.healthCheck.enabled,
    rate_limit: { ...values.rate_limit, buckets: values.rate_limit.buckets.map(bucketToSend) },
  };
}

/** An empty path or header means that the bucket does not ask for one. */
function bucketToSend({ path = '', header = '', ...bucket }: RateLimitBucket): RateLimitBucket {
  return {
    ...bucket,
    ...(path.trim() === '' ? {} : { path: path.trim() }),
    ...(header.trim() === '' ? {} : { header: header.trim() }),
  };
}

/** @returns what is wrong with a list of texts: with the whole, or with the first entry that is */
export function listError(form: SiteForm, path: string): string | undefined {
  const found = Object.entries(form.errors).find(([key]) => key === path || key.startsWith(`${path}.`))?.[1];
  return typeof found === 'string' ? found : undefined;
}

const validateWhole = validateWith(SiteCreate);

/** @returns what is wrong, by field; the three required ones with the words of their own */
export function siteProblems(values: SiteValues): FieldErrors {
  const errors = validateWhole({
    ...siteToSend(values),
    domains: values.domains.map((domain, index) =>
      index > 0 && domain.trim() === '' ? 'blank.example' : domain,
    ),
  });
  if (values.name.trim() === '') errors['name'] = words.nameRequired;
  if ((values.domains[0] ?? '').trim() === '') errors['domains.0'] = words.domainRequired;
  if (values.backend_url.trim() === '') errors['backend_url'] = words.upstreamRequired;
  return errors;
}
