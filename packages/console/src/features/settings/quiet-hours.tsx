import { Select } from '@mantine/core';
import { Switch } from '../../components/choices.tsx';
import { FieldGrid, FullRow } from '../../components/form-layout.tsx';
import { Panel } from '../../components/panel.tsx';
import { messages } from '../../lib/messages/index.ts';
import { usePreferences } from '../../lib/preferences/index.ts';
import type { NotificationsForm } from './notification-values.ts';

const words = messages.settings.notifications;
const hours = Array.from({ length: 24 }, (_, hour) => hour);

/** `22` → `10:00 PM` or `22:00`, as the user writes times. */
function hourLabel(hour: number, format: '12h' | '24h'): string {
  if (format === '24h') return `${String(hour).padStart(2, '0')}:00`;
  return `${hour % 12 === 0 ? 12 : hour % 12}:00 ${hour < 12 ? 'AM' : 'PM'}`;
}

/** The hours in which only criticals are kept, for later. */
export function QuietHours({ form }: { form: NotificationsForm }) {
  const { enabled } = form.getValues().quietHours;
  return (
    <Panel title={words.quietHours} note={words.quietHoursNote}>
      <FieldGrid>
        <FullRow>
          <Switch
            label={words.quietEnabled}
            description={words.quietHelp}
            {...form.getInputProps('quietHours.enabled', { type: 'checkbox' })}
          />
        </FullRow>
        {enabled ? (
          <>
            <HourField form={form} field="startHour" label={words.startHour} />
            <HourField form={form} field="endHour" label={words.endHour} />
          </>
        ) : null}
      </FieldGrid>
    </Panel>
  );
}

function HourField(props: { form: NotificationsForm; field: 'startHour' | 'endHour'; label: string }) {
  const { timeFormat } = usePreferences();
  const path = `quietHours.${props.field}` as const;
  return (
    <Select
      label={props.label}
      data={hours.map((hour) => ({ value: String(hour), label: hourLabel(hour, timeFormat) }))}
      value={String(props.form.getValues().quietHours[props.field])}
      onChange={(value) => value !== null && props.form.setFieldValue(path, Number(value))}
    />
  );
}
