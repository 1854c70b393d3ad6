/** A message as a channel sends it. */
export interface Letter {
  readonly subject: string;
  /** lines of plain text */
  readonly text: string;
}

/** A message with all that a program may want to know of it. */
export interface Notice extends Letter {
  /** the same for each attempt */
  readonly id: string;
  readonly event: string;
  readonly level: string;
  /** Unix milliseconds */
  readonly time: number;
  readonly systemName: string;
  readonly site?: { readonly id: string; readonly name: string };
  /** to the screen that shows it */
  readonly link?: string;
  /** without the system's name */
  readonly title: string;
  readonly lines: readonly string[];
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
