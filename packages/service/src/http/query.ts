/**
 * A query without the parameters that say nothing, for calls that read: a form leaves `level=` for what nobody chose,
 * and that asks for no level, not for one without a name. A call that changes something keeps them: a `version=` that
 * came out empty is a condition that failed to be set, and must be refused.
 * @param query as it was parsed; a name that was repeated has a list
 */
export function chosen(query: unknown): Record<string, unknown> {
  return Object.fromEntries(Object.entries(query as object).filter(([, value]) => value !== ''));
}
