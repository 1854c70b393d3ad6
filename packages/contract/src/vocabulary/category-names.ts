import type { Category } from '@portcullis/engine/vocabulary';

/** What a person calls each category, as it begins a sentence. */
export const categoryNames = {
  sql_injection: 'SQL injection',
  xss: 'Cross-site scripting',
  command_injection: 'Command injection',
  path_traversal: 'Path traversal',
  xxe: 'XML external entity',
  csrf: 'Cross-site request forgery',
  ssrf: 'Server-side request forgery',
  ldap_injection: 'LDAP injection',
  header_injection: 'Header injection',
  file_upload: 'File upload',
  method_validation: 'Method validation',
  size_limit: 'Size limit',
  rate_limiting: 'Rate limiting',
  bot_fight_mode: 'Bot fight mode',
  js_challenge: 'JavaScript challenge',
  captcha_challenge: 'Captcha challenge',
} as const satisfies Record<Category, string>;
