import type { ComponentType } from 'react';
import { useRef } from 'react';
import { messages } from '../../lib/messages/index.ts';
import { AccessLogSection } from './access-log-section.tsx';
import { AnswersSection } from './answers-section.tsx';
import { BasicsSection } from './basics-section.tsx';
import { BotProtectionSection } from './bot-protection-section.tsx';
import { CorsSection } from './cors-section.tsx';
import { FailureSection } from './failure-section.tsx';
import { HealthCheckSection } from './health-check-section.tsx';
import { PagesSection } from './pages-section.tsx';
import { ProtectionSection } from './protection-section.tsx';
import { RateLimitSection } from './rate-limit-section.tsx';
import classes from './site-fields.module.css';
import type { SiteForm } from './site-values.ts';
import { SslSection } from './ssl-section.tsx';
import { UpstreamSection } from './upstream-section.tsx';

const words = messages.sites.form;

/** Every section of the form with its title, in the order in which an operator needs them. */
const sections: readonly {
  title: string;
  /** the title in the row of jumps, where it is too long for it */
  short?: string;
  Section: ComponentType<{ form: SiteForm }>;
}[] = [
  { title: words.basics, Section: BasicsSection },
  { title: words.ssl, Section: SslSection },
  { title: words.healthCheck, Section: HealthCheckSection },
  { title: words.cors, Section: CorsSection },
  { title: words.rateLimit, Section: RateLimitSection },
  { title: words.botProtection, Section: BotProtectionSection },
  { title: words.protection, short: words.protectionShort, Section: ProtectionSection },
  { title: words.pages.title, Section: PagesSection },
  { title: words.upstreams, Section: UpstreamSection },
  { title: words.answers, Section: AnswersSection },
  { title: words.failures, Section: FailureSection },
  { title: words.accessLog, Section: AccessLogSection },
];

/** The fields of a site, with a way to jump to each section of them. */
export function SiteFields(props: { form: SiteForm }) {
  const list = useRef<HTMLDivElement>(null);
  const jump = (index: number) => {
    const section = list.current?.querySelectorAll<HTMLElement>('section')[index];
    section?.scrollIntoView({ block: 'start' });
    section?.focus({ preventScroll: true });
  };
  return (
    <>
      <nav className={classes.jumps} aria-label={words.sections}>
        {sections.map(({ title, short = title }, index) => (
          <button key={title} type="button" className={classes.jump} onClick={() => jump(index)}>
            {short}
          </button>
        ))}
      </nav>
      <div className={classes.list} ref={list}>
        {sections.map(({ title, Section }) => (
          <Section key={title} form={props.form} />
        ))}
      </div>
    </>
  );
}
