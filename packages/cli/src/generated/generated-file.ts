/** A file of the repository that is generated from the source and never edited by hand. */
export interface GeneratedFile {
  /** Relative to the root of the repository. */
  readonly path: string;
  readonly text: string;
}
