/** What SQL in a value can be. */
export const sqlFindings = [
  'union select',
  'subquery',
  'statement',
  'lone statement',
  'object query',
  'stacked statement',
  'dangerous function',
  'system catalogue',
  'tautology',
  'condition',
  'named condition',
  'operator among words',
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

/** A shape of tokens that stands for one way of injecting. `c` comments are allowed between any two tokens. */
export interface Structure {
  /** `boolean`: no strong word is needed, so it is sought in every text that could hold a condition */
  readonly boolean?: true;
  readonly kind: SqlFinding;
  readonly shape: RegExp;
  /** in which contexts the shape means anything: outside of quotes, inside, or both */
  readonly where: 'bare' | 'quoted' | 'any';
  /** asked of the matched text, where letters are not enough */
  readonly also?: (matched: string, text: string) => boolean;
}
