export { type ClientTraits, judgeAutomation } from './automation.ts';
export { type Answered, type Ask, Challenger, type ChallengerOptions } from './challenger.ts';
export { KeyRing } from './key-ring.ts';
export { nameServers } from './name-servers.ts';
export { challengeEndpoint, type Reply } from './page.ts';
export { type ChallengeKind, passCookie } from './pass.ts';
export {
  type ChallengeDecision,
  type ChallengeFacts,
  type ChallengePolicy,
  compileChallengePolicy,
  decideChallenge,
} from './policy.ts';
export {
  type BotResolver,
  type BotVerdict,
  VerifiedBots,
  type VerifiedBotsOptions,
} from './verified-bots.ts';
export type { Visitor } from './visitor.ts';
