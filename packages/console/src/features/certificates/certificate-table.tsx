import { Button } from '@mantine/core';
import type { Certificate } from '@portcullis/contract/certificates';
import type { Tone } from '../../components/badge.tsx';
import { Badge } from '../../components/badge.tsx';
import type { Column } from '../../components/data-table.tsx';
import { DataTable } from '../../components/data-table.tsx';
import { Mono } from '../../components/mono.tsx';
import { formatCount, useNow, useTimeFormat } from '../../lib/format/index.ts';
import { messages } from '../../lib/messages/index.ts';
import { daysLeft } from '../../lib/queries/index.ts';
import classes from './certificates.module.css';
import type { Holder } from './holders.ts';
import { lastAttemptFailed } from './holders.ts';

const words = messages.certificates;
const namesShown = 2;

/** What each state means at a glance. */
export const stateTones: Record<Certificate['state'] | 'none', Tone> = {
  valid: 'ok',
  expiring: 'warning',
  expired: 'danger',
  pending: 'info',
  failed: 'danger',
  none: 'warning',
};

/** One row a site: what it is for, who signed it, how long it lasts. */
export function CertificateTable(props: { holders: Holder[]; onShow: (siteId: string) => void }) {
  const columns: Column<Holder>[] = [
    { key: 'site', header: words.columns.site, primary: true, cell: (one) => <Site holder={one} /> },
    {
      key: 'names',
      header: words.columns.names,
      wide: true,
      cell: (one) => <Names names={one.certificate?.domains} />,
    },
    { key: 'issuer', header: words.columns.issuer, cell: (one) => one.certificate?.issuer || '–' },
    { key: 'source', header: words.columns.source, cell: source },
    {
      key: 'left',
      header: words.columns.left,
      align: 'end',
      cell: (one) => <DaysLeft certificate={one.certificate} />,
    },
    { key: 'state', header: words.columns.state, cell: (one) => <State holder={one} /> },
    {
      key: 'acts',
      header: words.columns.acts,
      quiet: true,
      corner: true,
      align: 'end',
      cell: (one) => (
        <Button
          variant="default"
          size="compact-sm"
          aria-label={words.detailsOf(siteName(one))}
          onClick={() => props.onShow(one.siteId)}
        >
          {words.details}
        </Button>
      ),
    },
  ];
  return (
    <DataTable label={words.title} columns={columns} rows={props.holders} rowKey={(one) => one.siteId} />
  );
}

/** @returns how the site of a certificate is called */
export const siteName = ({ site }: Holder): string => site?.name ?? words.unknownSite;

const source = ({ certificate }: Holder): string =>
  certificate === undefined || certificate.domains.length === 0 ? '–' : words.sources[certificate.source];

function Site(props: { holder: Holder }) {
  const { site } = props.holder;
  return (
    <div className={classes.site}>
      <span className={classes.name}>{siteName(props.holder)}</span>
      {site && !site.ssl?.enabled ? <span className={classes.note}>{words.httpsOff}</span> : null}
    </div>
  );
}

function Names(props: { names: readonly string[] | undefined }) {
  const { names = [] } = props;
  if (names.length === 0) return '–';
  return (
    <span className={classes.names}>
      {names.slice(0, namesShown).map((name) => (
        <Mono key={name} max={36}>
          {name}
        </Mono>
      ))}
      {names.length > namesShown ? (
        <span className={classes.note} title={names.slice(namesShown).join('\n')}>
          {words.moreNames(names.length - namesShown)}
        </span>
      ) : null}
    </span>
  );
}

function DaysLeft(props: { certificate: Certificate | undefined }) {
  const now = useNow();
  const format = useTimeFormat();
  const { certificate } = props;
  const left = certificate && daysLeft(certificate, now);
  if (certificate?.notAfter === undefined || left === undefined) return '–';
  return <span title={format.dateTime(certificate.notAfter)}>{formatCount(Math.max(0, left))}</span>;
}

function State(props: { holder: Holder }) {
  const { certificate } = props.holder;
  const state = certificate?.state ?? 'none';
  return (
    <div className={classes.site}>
      <Badge tone={stateTones[state]}>{words.states[state]}</Badge>
      {certificate && state !== 'pending' && state !== 'failed' && lastAttemptFailed(certificate) ? (
        <span className={classes.note}>{words.renewal.failed}</span>
      ) : null}
    </div>
  );
}
