import type { EventMatch } from '@portcullis/contract/events';
import { messages } from '../lib/messages/index.ts';
import { CopyButton } from './copy-button.tsx';
import classes from './match-card.module.css';

const words = messages.logs.detail;

/** One reason of the decision: where it matched, the decoded value with the matched bytes marked. */
export function MatchCard(props: { match: EventMatch }) {
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
        {words.where} <code>{match.target}</code> · {words.rule.toLowerCase()} <code>{match.ruleId}</code>
      </div>
      <div className={classes.value}>
        <code>
          {visible(match.value.slice(0, start))}
          <mark className={classes.mark}>{visible(match.value.slice(start, end))}</mark>
          {visible(match.value.slice(end))}
        </code>
        <CopyButton text={match.value} what={words.value.toLowerCase()} />
      </div>
      <div className={classes.where}>
        {match.transformations.length === 0
          ? words.noTransformations
          : `${words.transformations}: ${match.transformations.join(' → ')}`}
      </div>
    </div>
  );
}

/** Control characters as their pictures (U+2400 block), so that a NUL or a line break can be seen. */
export function visible(text: string): string {
  return text.replace(/[\u0000-\u001f\u007f]/g, (character) =>
    character === '\u007f' ? '\u2421' : String.fromCharCode(0x2400 + character.charCodeAt(0)),
  );
}
