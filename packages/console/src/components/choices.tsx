import type { CheckboxProps, SwitchProps } from '@mantine/core';
import { Checkbox as MantineCheckbox, Switch as MantineSwitch } from '@mantine/core';

// Mantine's <label> holds the description too, so that a screen reader would say it twice: once in the name and
// once as the description. The name is the label alone.

/** Turns something on or off. */
export function Switch(props: Omit<SwitchProps, 'label'> & { label: string }) {
  return <MantineSwitch aria-label={props.label} {...props} />;
}

/** One choice of a form. */
export function Checkbox(props: Omit<CheckboxProps, 'label'> & { label: string }) {
  return <MantineCheckbox aria-label={props.label} {...props} />;
}
