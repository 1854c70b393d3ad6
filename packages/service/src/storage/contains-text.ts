import { type Expression, type RawBuilder, sql } from 'kysely';

/**
 * Whether a column holds a text, whatever the case of ASCII letters, on both dialects. What the text says of
 * LIKE's own signs is taken literally.
 */
export function containsText(column: Expression<unknown>, text: string): RawBuilder<boolean> {
  const literal = text.toLowerCase().replace(/[!%_]/g, '!$&');
  return sql<boolean>`lower(${column}) like ${`%${literal}%`} escape '!'`;
}
