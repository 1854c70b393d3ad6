/** What a body processor makes of a request's body. All text is latin1. */
export interface ParsedBody {
  /** in order of appearance, repeats kept */
  readonly args: readonly NamedValue[];
  /** why the body is not what its type promises, for REQBODY_ERROR_MSG */
  readonly error?: string;
  readonly multipart?: MultipartFacts;
  readonly xml?: XmlElement;
}

export type NamedValue = readonly [name: string, value: string];

/** One uploaded file. */
export interface UploadedFile {
  /** of the form field */
  readonly field: string;
  readonly filename: string;
  readonly content: string;
}

/** What only a multipart body has, in ModSecurity's own terms. */
export interface MultipartFacts {
  readonly files: readonly UploadedFile[];
  /** field name → one header line of its part, for example `Content-Type: text/plain` */
  readonly partHeaders: readonly NamedValue[];
  readonly names: readonly string[];
  readonly filenames: readonly string[];
  readonly flags: ReadonlySet<MultipartFlag>;
}

/** Deviations that a lenient parser would read in its own way, and with which an attacker hides a part. */
export type MultipartFlag =
  | 'BOUNDARY_QUOTED'
  | 'BOUNDARY_WHITESPACE'
  | 'DATA_BEFORE'
  | 'DATA_AFTER'
  | 'HEADER_FOLDING'
  | 'LF_LINE'
  | 'CRLF_LF_LINES'
  | 'MISSING_SEMICOLON'
  | 'INVALID_QUOTING'
  | 'INVALID_PART'
  | 'INVALID_HEADER_FOLDING'
  | 'UNMATCHED_BOUNDARY';

/** A parsed XML element. `text` is everything its descendants say, in order. */
export interface XmlElement {
  readonly name: string;
  readonly attributes: readonly NamedValue[];
  readonly children: readonly XmlElement[];
  readonly text: string;
}
