export const settingsTabs = ['general', 'security', 'notifications', 'appearance'] as const;
export type SettingsTab = (typeof settingsTabs)[number];

/** Reads `?tab=…` of the settings' address: the general settings where it names none. */
export function settingsSearch(search: Record<string, unknown>): { tab: SettingsTab } {
  return { tab: settingsTabs.find((tab) => tab === search['tab']) ?? 'general' };
}
