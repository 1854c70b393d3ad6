import type { ConfigurationDocument, DocumentSecrets } from '@portcullis/contract/configuration';

/** A file that was read, and whose it is to say what it is for. */
export interface ImportedFile {
  readonly document: ConfigurationDocument;
  /** opened; undefined: those stored stay */
  readonly secrets: DocumentSecrets | undefined;
  /** refused where another version is in force */
  readonly base?: number | undefined;
  readonly reason?: string | undefined;
}
