import type { ServedCertificate } from '@portcullis/contract/certificates';

/** What a gateway worker under measurement is started with. */
export interface WorkerPlan {
  readonly upstream: string;
  readonly level: string;
  readonly dataDir: string;
  /** protection categories that stay off beside those that would challenge or limit the load */
  readonly without?: readonly string[];
  readonly certificate?: ServedCertificate;
}

/** One line of JSON on its output: the ports once it listens, then an answer to each `measure`. */
export interface WorkerReport {
  readonly httpPort?: number;
  readonly httpsPort?: number;
  /** heap and buffers that are in use after a collection */
  readonly liveBytes?: number;
}
