/** Bounds on what one request may make the engine do. What exceeds one is kept, counted and reported. */
export interface InspectionLimits {
  /** of the body, also after decompression */
  readonly maxBodyBytes: number;
  /** names and values taken from query, body and cookies */
  readonly maxArguments: number;
  readonly maxHeaders: number;
  /** of a multipart body */
  readonly maxParts: number;
  /** longer values are inspected in overlapping windows up to this length */
  readonly maxValueBytes: number;
  /** of JSON */
  readonly maxDepth: number;
}

export const defaultLimits: InspectionLimits = {
  maxBodyBytes: 131_072,
  maxArguments: 4000,
  maxHeaders: 128,
  maxParts: 1024,
  maxValueBytes: 131_072,
  maxDepth: 64,
};
