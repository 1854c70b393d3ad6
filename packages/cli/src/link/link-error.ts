/** Why the link cannot open, and how to mend it. */
export class LinkError extends Error {
  readonly mend: string;
  constructor(message: string, mend: string) {
    super(message);
    this.mend = mend;
  }
}
