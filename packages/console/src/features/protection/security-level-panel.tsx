import { UnstyledButton } from '@mantine/core';
import type { Site } from '@portcullis/contract/sites';
import { securityLevels } from '@portcullis/contract/vocabulary';
import { IconCheck } from '@tabler/icons-react';
import { Panel } from '../../components/panel.tsx';
import { messages } from '../../lib/messages/index.ts';
import { usePermission } from '../../lib/session/index.ts';
import { useSetLevel } from './protection-queries.ts';
import classes from './security-level-panel.module.css';

const words = messages.protection;

/** The posture of the site: one of five, in force at once. */
export function SecurityLevelPanel(props: { site: Site }) {
  const { site } = props;
  const mayEdit = usePermission('rule:update');
  const setLevel = useSetLevel(site.id);
  return (
    <Panel title={words.securityLevel} {...(mayEdit ? {} : { note: words.levelNeeds })}>
      <div className={classes.levels}>
        {securityLevels.map((level) => (
          <UnstyledButton
            key={level}
            className={classes.level}
            aria-pressed={site.security_level === level}
            disabled={!mayEdit || setLevel.isPending}
            onClick={() => site.security_level === level || setLevel.mutate(level)}
          >
            <span className={classes.name}>{messages.sites.levels[level]}</span>
            <span className={classes.text}>{words.levels[level]}</span>
            <IconCheck className={classes.check} size={16} aria-hidden />
          </UnstyledButton>
        ))}
      </div>
    </Panel>
  );
}
