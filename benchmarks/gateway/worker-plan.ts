import type { ServedCertificate } from '@portcullis/contract/certificates';
import type { AccessLogFormat } from '@portcullis/contract/sites';

/** What a gateway worker under measurement is started with. */
export interface WorkerPlan {
  readonly upstream: string;
  readonly level: string;
  readonly dataDir: string;
  /** protection categories that stay off beside those that would challenge or limit the load */
  readonly without?: readonly string[];
  /** none where absent */
  readonly accessLog?: AccessLogFormat;
  readonly certificate?: ServedCertificate;
}

/** What held up every request of the process at once; milliseconds of the monotonic clock. */
export interface Pause {
  readonly cause: 'collection' | 'timer';
  readonly begin: number;
  readonly ms: number;
}

/** One line of JSON on its output: the ports once it listens, then an answer to each `measure` and `pauses`. */
export interface WorkerReport {
  readonly httpPort?: number;
  readonly httpsPort?: number;
  /** heap and buffers that are in use after a collection */
  readonly liveBytes?: number;
  /** since it was last asked */
  readonly pauses?: readonly Pause[];
}
