import type { ReactNode } from 'react';
import { Switch } from '../../components/choices.tsx';
import { NumberField } from '../../components/number-field.tsx';
import { Panel } from '../../components/panel.tsx';
import { messages } from '../../lib/messages/index.ts';
import classes from './event-toggles.module.css';
import type { NotificationsForm } from './notification-values.ts';
import { notificationBounds } from './notification-values.ts';

const words = messages.settings.notifications;

/** What a message is sent for, each with its threshold where it has one. */
export function EventToggles({ form }: { form: NotificationsForm }) {
  const { notifyOnAttacks, notifyOnHighLoad } = form.getValues().notifications;
  return (
    <Panel title={words.events} note={words.eventsNote}>
      <div className={classes.list}>
        <Toggle form={form} field="notifyOnAttacks" label={words.attacks} help={words.attacksHelp}>
          {notifyOnAttacks ? (
            <NumberField
              label={words.attackThreshold}
              bounds={notificationBounds.attackThreshold}
              {...form.getInputProps('notifications.attackThreshold')}
            />
          ) : null}
        </Toggle>
        <Toggle form={form} field="notifyOnSiteDown" label={words.siteDown} help={words.siteDownHelp} />
        <Toggle form={form} field="notifyOnHighLoad" label={words.highLoad} help={words.highLoadHelp}>
          {notifyOnHighLoad ? (
            <NumberField
              label={words.loadThreshold}
              bounds={notificationBounds.loadThreshold}
              {...form.getInputProps('notifications.loadThreshold')}
            />
          ) : null}
        </Toggle>
        <Toggle form={form} field="notifyOnSystem" label={words.system} help={words.systemHelp} />
        <Toggle
          form={form}
          field="notifyOnUserChanges"
          label={words.userChanges}
          help={words.userChangesHelp}
        />
        <Toggle
          form={form}
          field="notifyOnRuleChanges"
          label={words.ruleChanges}
          help={words.ruleChangesHelp}
        />
      </div>
    </Panel>
  );
}

function Toggle(props: {
  form: NotificationsForm;
  field: string;
  label: string;
  help: string;
  children?: ReactNode;
}) {
  const field = props.form.getInputProps(`notifications.${props.field}`, { type: 'checkbox' });
  return (
    <div className={classes.row}>
      <Switch label={props.label} description={props.help} {...field} />
      {props.children ? <div className={classes.threshold}>{props.children}</div> : null}
    </div>
  );
}
