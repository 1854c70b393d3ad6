import { BasicsSection } from './basics-section.tsx';
import type { SiteForm } from './site-values.ts';

/** Every section of the site form, in the order of how often they are needed. */
export function SiteFields(props: { form: SiteForm }) {
  return <BasicsSection form={props.form} />;
}
