import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Tone } from '../../components/badge.tsx';
import { Badge } from '../../components/badge.tsx';
import { formatCount, useNow } from '../../lib/format/index.ts';
import { messages } from '../../lib/messages/index.ts';
import { certificatesQuery, daysLeft, lender, sitesQuery } from '../../lib/queries/index.ts';
import classes from './certificate-line.module.css';

const words = messages.sites.form.certificate;
const tones = {
  valid: 'ok',
  expiring: 'warning',
  expired: 'danger',
  pending: 'info',
  failed: 'danger',
} as const;

/**
 * What the site proves itself with now: nothing, an uploaded or an automatic certificate, or the one of another site that
 * is for its names too; and where to change it.
 */
export function CertificateLine(props: {
  siteId: string | undefined;
  domains: readonly string[];
  automatic: boolean;
}) {
  const { siteId, automatic } = props;
  const certificates = useQuery(certificatesQuery);
  const sites = useQuery(sitesQuery);
  const now = useNow();
  const own = certificates.data?.find((one) => one.siteId === siteId);
  const lent =
    automatic || own?.notAfter !== undefined ? undefined : lender(certificates.data, props.domains, now);
  if (lent !== undefined) {
    const owner = sites.data?.find(({ id }) => id === lent.siteId);
    return (
      <p className={classes.line}>
        <Badge tone={tones[lent.state]}>{words.states[lent.state]}</Badge>
        <span>{words.lent(owner?.name ?? lent.siteId, lent.domains.join(', '))}</span>
        <Link to="/certificates" search={{ site: lent.siteId }}>
          {words.details}
        </Link>
      </p>
    );
  }
  if (siteId === undefined) {
    return <p className={classes.line}>{automatic ? words.newAutomatic : words.newUploaded}</p>;
  }
  if (!certificates.data)
    return certificates.isError ? <p className={classes.line}>{words.unknown}</p> : null;
  const issued = own !== undefined && own.domains.length > 0;
  const tone: Tone = own ? tones[own.state] : 'warning';
  const left = own && daysLeft(own, now);
  return (
    <p className={classes.line}>
      <Badge tone={tone}>{own ? words.states[own.state] : words.none}</Badge>
      <span>
        {issued
          ? [words.sources[own.source], left === undefined ? '' : words.left(formatCount(Math.max(0, left)))]
              .filter(Boolean)
              .join(', ')
          : automatic
            ? words.comes
            : words.needed}
      </span>
      <Link to="/certificates" search={{ site: siteId }}>
        {issued ? words.details : automatic ? words.details : words.upload}
      </Link>
    </p>
  );
}
