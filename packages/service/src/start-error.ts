/** Why the service cannot start, as an operator can act on it. An expected outcome: it is shown without a stack. */
export class StartError extends Error {
  /** what to do about it, one sentence */
  readonly mend: string;

  constructor(message: string, mend: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'StartError';
    this.mend = mend;
  }
}
