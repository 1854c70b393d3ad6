/** Which version is shown in full. */
export function configurationSearch(search: Record<string, unknown>): { version?: number } {
  const version = Number(search['version']);
  return Number.isInteger(version) && version > 0 ? { version } : {};
}
