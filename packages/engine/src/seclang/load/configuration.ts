import type { EngineMode, Phase } from '../state/index.ts';
import type { ActionSyntax, OperatorSyntax, SeclangIssue, TargetSyntax } from '../syntax/index.ts';

/** A rule as written, which later directives may still change. */
export interface RawRule {
  readonly file: string;
  readonly line: number;
  targets: readonly TargetSyntax[];
  /** absent on a SecAction */
  readonly operator?: OperatorSyntax;
  actions: readonly ActionSyntax[];
  /** those of SecDefaultAction in force where it stands */
  readonly defaults: Configuration['defaults'];
  next?: RawRule;
}

/** What the directives of all files add up to. */
export interface Configuration {
  /** heads of chains and markers, in order */
  readonly items: RawItem[];
  /** of SecDefaultAction, for the rules that come now */
  defaults: ReadonlyMap<Phase, readonly ActionSyntax[]>;
  readonly issues: SeclangIssue[];
  mode: EngineMode;
  readsBody: boolean;
  readsResponseBody: boolean;
  /** seconds; SecCollectionTimeout */
  collectionTimeout: number;
  /** the link that the next rule is chained to */
  openChain: RawRule | undefined;
  /** by id: where the rule stands */
  readonly places: Map<number, string>;
}

export type RawItem = { readonly rule: RawRule } | { readonly marker: string };
