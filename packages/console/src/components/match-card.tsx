import type { EventMatch } from '@portcullis/contract/events';
import { typedText, visibleText } from '@portcullis/contract/events';
import { messages } from '../lib/messages/index.ts';
import { isBuiltIn } from '../lib/queries/index.ts';
import { usePermission } from '../lib/session/index.ts';
import { CopyButton } from './copy-button.tsx';
import classes from './match-card.module.css';
import { QuietLink } from './quiet-link.tsx';

const words = messages.logs.detail;
const shown = (part: string) => visibleText(typedText(part));

/**
 * One reason of the decision: where it matched, the decoded value with the matched bytes marked.
 * @param props.siteId the site whose event it is: the rule leads to what is known of it there
 */
export function MatchCard(props: { match: EventMatch; siteId?: string | undefined }) {
  const { match } = props;
  const [start, end] = match.span;
  return (
    <div className={classes.match}>
      <div className={classes.head}>
        <span className={classes.message}>{match.message}</span>
        <span className={classes.score}>
          {match.severity} · +{match.score}
        </span>
      </div>
      <div className={classes.where}>
        {words.where} <code>{shown(match.target)}</code> · {words.rule.toLowerCase()}{' '}
        <RuleId id={match.ruleId} siteId={props.siteId} />
      </div>
      <div className={classes.value}>
        <code>
          {shown(match.value.slice(0, start))}
          <mark className={classes.mark}>{shown(match.value.slice(start, end))}</mark>
          {shown(match.value.slice(end))}
        </code>
        <CopyButton text={typedText(match.value)} what={words.value.toLowerCase()} />
      </div>
      <div className={classes.where}>
        {match.transformations.length === 0
          ? words.noTransformations
          : `${words.transformations}: ${match.transformations.join(' → ')}`}
      </div>
    </div>
  );
}

function RuleId(props: { id: string; siteId: string | undefined }) {
  const { id, siteId } = props;
  const mayRead = usePermission('rule:view');
  const text = <code>{id}</code>;
  if (siteId === undefined || !mayRead || !isBuiltIn(id)) return text;
  return (
    <QuietLink to="/protection" search={{ site: siteId, builtIn: id }} title={words.aboutRule}>
      {text}
    </QuietLink>
  );
}
