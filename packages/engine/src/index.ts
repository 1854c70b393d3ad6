export { type TransformationName, transformations } from './decode/index.ts';
export { builtInRules } from './detectors/index.ts';
export { atOnce, type Steps } from './gate/index.ts';
export * from './inspect/index.ts';
export * from './leaks/index.ts';
export * from './middleware/index.ts';
export {
  canonicalPath,
  defaultLimits,
  type HeaderField,
  type InspectedRequest,
  type InspectionLimits,
  isAmbiguousPath,
  type Part,
  parts,
} from './parse/index.ts';
export * from './rules/index.ts';
export * from './vocabulary.ts';
