export { type ProtectionParts, protectionRoutes } from './routes.ts';
export {
  presentRule,
  RulesetValue,
  RuleValue,
  ruleIssues,
  type StoredRule,
  type StoredRuleset,
} from './rules.ts';
export { ProtectionStore } from './store.ts';
export { type RuleTemplate, type TemplateExample, templates } from './templates/index.ts';
