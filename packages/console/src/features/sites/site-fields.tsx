import { BasicsSection } from './basics-section.tsx';
import { CorsSection } from './cors-section.tsx';
import { HealthCheckSection } from './health-check-section.tsx';
import { ProtectionSection } from './protection-section.tsx';
import type { SiteForm } from './site-values.ts';
import { SslSection } from './ssl-section.tsx';
import { BotProtectionSection, RateLimitSection } from './traffic-sections.tsx';

/** Every section of the site form, in the order in which an operator needs them. */
export function SiteFields(props: { form: SiteForm }) {
  const { form } = props;
  return (
    <>
      <BasicsSection form={form} />
      <SslSection form={form} />
      <HealthCheckSection form={form} />
      <CorsSection form={form} />
      <RateLimitSection form={form} />
      <BotProtectionSection form={form} />
      <ProtectionSection form={form} />
    </>
  );
}
