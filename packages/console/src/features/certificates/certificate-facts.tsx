import type { Certificate } from '@portcullis/contract/certificates';
import { Badge } from '../../components/badge.tsx';
import { CopyButton } from '../../components/copy-button.tsx';
import { Fact, Facts } from '../../components/facts.tsx';
import { Moment } from '../../components/moment.tsx';
import { Mono } from '../../components/mono.tsx';
import { formatCount, useNow, useTimeFormat } from '../../lib/format/index.ts';
import { messages } from '../../lib/messages/index.ts';
import { daysLeft } from '../../lib/queries/index.ts';
import classes from './certificate-drawer.module.css';
import { stateTones } from './certificate-table.tsx';
import type { Holder } from './holders.ts';
import { lastAttemptFailed } from './holders.ts';

const words = messages.certificates.detail;

/** In what state it is, in one sentence, and what stands in it. */
export function CertificateFacts(props: { holder: Holder }) {
  const { certificate } = props.holder;
  const state = certificate?.state ?? 'none';
  return (
    <>
      <div>
        <Badge tone={stateTones[state]}>{messages.certificates.states[state]}</Badge>
      </div>
      <p className={classes.sentence}>
        <Sentence certificate={certificate} />
      </p>
      {state === 'none' ? <p className={classes.dim}>{words.noneText}</p> : null}
      <Facts>
        {certificate && certificate.domains.length > 0 ? <Issued certificate={certificate} /> : null}
        <Fact label={words.renewal}>
          <Renewal holder={props.holder} />
        </Fact>
      </Facts>
    </>
  );
}

function Sentence(props: { certificate: Certificate | undefined }) {
  const now = useNow();
  const { certificate } = props;
  if (certificate === undefined) return words.none;
  const days = formatCount(daysLeft(certificate, now) ?? 0);
  switch (certificate.state) {
    case 'valid':
      return words.valid(days);
    case 'expiring':
      return words.expiring(days);
    default:
      return words[certificate.state];
  }
}

function Issued(props: { certificate: Certificate }) {
  const { certificate } = props;
  return (
    <>
      <Fact label={words.names}>
        <span className={classes.names}>
          {certificate.domains.map((name) => (
            <Mono key={name}>{name}</Mono>
          ))}
        </span>
      </Fact>
      <Fact label={words.issuer}>{certificate.issuer}</Fact>
      <Fact label={words.source}>{messages.certificates.sources[certificate.source]}</Fact>
      {certificate.notBefore ? (
        <Fact label={words.from}>
          <Moment at={certificate.notBefore} />
        </Fact>
      ) : null}
      {certificate.notAfter ? (
        <Fact label={words.until}>
          <Moment at={certificate.notAfter} />
        </Fact>
      ) : null}
      <Fact label={words.fingerprint}>
        <Mono max={47}>{certificate.fingerprint}</Mono>
        <CopyButton text={certificate.fingerprint} what={words.fingerprint} />
      </Fact>
    </>
  );
}

function Renewal(props: { holder: Holder }) {
  const { site, certificate } = props.holder;
  const format = useTimeFormat();
  const say = messages.certificates.renewal;
  if (!(site?.ssl?.enabled && site.ssl.autoCert)) {
    return certificate?.source === 'acme' ? say.off : say.notRenewed;
  }
  if (certificate?.renewAt === undefined) return say.notRenewed;
  const when = format.dateTime(certificate.renewAt);
  return lastAttemptFailed(certificate) ? say.retry(when) : say.due(when);
}
