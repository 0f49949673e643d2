import type { MonitorName, TerminationEvent } from '../events/index.ts';
import type { MetadataReader } from '../imds/index.ts';

/** Watches one document of the metadata service. */
export interface Monitor {
  readonly name: MonitorName;
  /** Path below `/latest`. */
  readonly path: string;
  /** The events that the document announces; the text is undefined while there is no document. */
  parse(text: string | undefined): readonly TerminationEvent[];
}

/** Reads the document of a monitor once. */
export async function poll(
  { path, parse }: Monitor,
  metadata: MetadataReader,
  signal?: AbortSignal,
): Promise<readonly TerminationEvent[]> {
  return parse(await metadata.read(path, signal));
}
