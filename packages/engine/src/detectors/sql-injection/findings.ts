/** What SQL in a value can be. */
export const sqlFindings = [
  'union select',
  'subquery',
  'statement',
  'lone statement',
  'stacked statement',
  'dangerous function',
  'system catalogue',
  'tautology',
  'condition',
  'comment ends statement',
  'clause after value',
  'case expression',
  'conditional comment',
  'file access',
  'concatenated breakout',
  'whole query',
  'bare statement',
  'lone concatenation',
] as const;
export type SqlFinding = (typeof sqlFindings)[number];
