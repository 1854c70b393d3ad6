/** A message as a channel sends it. */
export interface Letter {
  readonly subject: string;
  /** lines of plain text */
  readonly text: string;
}

/** What one attempt came to. */
export type Attempt =
  | { readonly sent: true }
  | {
      readonly sent: false;
      readonly reason: string;
      /** false where another attempt cannot go better */
      readonly mayPass: boolean;
      /** how long the receiver asks us to wait */
      readonly retryAfterSeconds?: number;
    };
