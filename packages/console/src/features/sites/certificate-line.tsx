import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Tone } from '../../components/badge.tsx';
import { Badge } from '../../components/badge.tsx';
import { formatCount, useNow } from '../../lib/format/index.ts';
import { messages } from '../../lib/messages/index.ts';
import { certificatesQuery, daysLeft } from '../../lib/queries/index.ts';
import classes from './certificate-line.module.css';

const words = messages.sites.form.certificate;
const tones = {
  valid: 'ok',
  expiring: 'warning',
  expired: 'danger',
  pending: 'info',
  failed: 'danger',
} as const;

/** What the site proves itself with now: nothing, an uploaded or an automatic certificate; and where to change it. */
export function CertificateLine(props: { siteId: string | undefined; automatic: boolean }) {
  const { siteId, automatic } = props;
  const certificates = useQuery({ ...certificatesQuery, enabled: siteId !== undefined });
  const now = useNow();
  if (siteId === undefined) {
    return <p className={classes.line}>{automatic ? words.newAutomatic : words.newUploaded}</p>;
  }
  if (!certificates.data)
    return certificates.isError ? <p className={classes.line}>{words.unknown}</p> : null;
  const found = certificates.data.find((one) => one.siteId === siteId);
  const issued = found !== undefined && found.domains.length > 0;
  const tone: Tone = found ? tones[found.state] : 'warning';
  const left = found && daysLeft(found, now);
  return (
    <p className={classes.line}>
      <Badge tone={tone}>{found ? words.states[found.state] : words.none}</Badge>
      <span>
        {issued
          ? [
              words.sources[found.source],
              left === undefined ? '' : words.left(formatCount(Math.max(0, left))),
            ]
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
