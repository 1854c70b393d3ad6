import type { ComponentType } from 'react';
import { useEffect, useRef } from 'react';
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
  /** what a link to it says */
  key: string;
  title: string;
  /** the title in the row of jumps, where it is too long for it */
  short?: string;
  Section: ComponentType<{ form: SiteForm }>;
}[] = [
  { key: 'basics', title: words.basics, Section: BasicsSection },
  { key: 'ssl', title: words.ssl, Section: SslSection },
  { key: 'healthCheck', title: words.healthCheck, Section: HealthCheckSection },
  { key: 'cors', title: words.cors, Section: CorsSection },
  { key: 'rateLimit', title: words.rateLimit, Section: RateLimitSection },
  { key: 'botProtection', title: words.botProtection, Section: BotProtectionSection },
  { key: 'protection', title: words.protection, short: words.protectionShort, Section: ProtectionSection },
  { key: 'pages', title: words.pages.title, Section: PagesSection },
  { key: 'upstreams', title: words.upstreams, Section: UpstreamSection },
  { key: 'answers', title: words.answers, Section: AnswersSection },
  { key: 'failures', title: words.failures, Section: FailureSection },
  { key: 'accessLog', title: words.accessLog, Section: AccessLogSection },
];

/** The fields of a site, with a way to jump to each section of them. */
export function SiteFields(props: { form: SiteForm; section: string | undefined }) {
  const list = useRef<HTMLDivElement>(null);
  const first = sections.findIndex(({ key }) => key === props.section);
  useEffect(() => {
    if (first === -1) return;
    // The dialog moves the focus to its first field when it has opened.
    const frame = requestAnimationFrame(() => jumpTo(list.current, first));
    return () => cancelAnimationFrame(frame);
  }, [first]);
  return (
    <>
      <nav className={classes.jumps} aria-label={words.sections}>
        {sections.map(({ title, short = title }, index) => (
          <button
            key={title}
            type="button"
            className={classes.jump}
            onClick={() => jumpTo(list.current, index)}
          >
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

function jumpTo(list: HTMLElement | null, index: number): void {
  const section = list?.querySelectorAll<HTMLElement>('section')[index];
  section?.scrollIntoView({ block: 'start' });
  section?.focus({ preventScroll: true });
}
