import { NumberInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { z } from 'zod';
import { formatCount } from '../lib/format/index.ts';
import { messages } from '../lib/messages/index.ts';

/** The least and the greatest whole number that a field takes. */
export interface Bounds {
  min: number;
  max: number;
}

/** @returns the bounds that the contract's schema sets, so that they stand in one place */
export function boundsOf(schema: z.ZodType): Bounds {
  const inner = schema instanceof z.ZodDefault ? schema.unwrap() : schema;
  if (!(inner instanceof z.ZodNumber)) throw new TypeError('bounds are asked of a field that is no number');
  return { min: inner.minValue ?? Number.MIN_SAFE_INTEGER, max: inner.maxValue ?? Number.MAX_SAFE_INTEGER };
}

/** @returns what is wrong with the number, or undefined; an emptied field counts as wrong */
export function numberProblem(value: unknown, { min, max }: Bounds): string | undefined {
  if (typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max) return undefined;
  return messages.common.range(formatCount(min), formatCount(max));
}

/** A whole number with its bounds said below it. Out of bounds is left as typed and refused with words. */
export function NumberField(props: {
  label: string;
  help?: string;
  bounds: Bounds;
  disabled?: boolean;
  value?: number | string;
  error?: ReactNode;
  onChange?: (value: number | string) => void;
}) {
  const { bounds, help, ...rest } = props;
  const range = messages.common.rangeHint(formatCount(bounds.min), formatCount(bounds.max));
  return (
    <NumberInput
      {...rest}
      description={help ? `${help}. ${range}` : range}
      allowDecimal={false}
      allowNegative={false}
      min={bounds.min}
      max={bounds.max}
      hideControls
      inputMode="numeric"
    />
  );
}
