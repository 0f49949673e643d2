/** A fault of the metadata service. The first one that matches a request applies. */
export interface MetadataFault {
  /** End of the path, such as `spot/instance-action` or `api/token`; defaults to any path. */
  readonly path?: string;
  /** Responds with this status instead of the document. */
  readonly status?: number;
  /** Responds with this text instead of the document. */
  readonly body?: string;
  /** Delay before the response, in milliseconds. */
  readonly delay?: number;
  /** Closes the connection without a response. */
  readonly drops?: boolean;
  /** Number of requests that it affects; defaults to all. */
  readonly times?: number;
}

/** The faults in force. */
export class MetadataFaults {
  #faults: { readonly fault: MetadataFault; left: number }[] = [];

  set(...faults: readonly MetadataFault[]): void {
    this.#faults = faults.map((fault) => ({ fault, left: fault.times ?? Number.POSITIVE_INFINITY }));
  }

  /** The fault for a request, which counts as one hit. */
  take(path: string): MetadataFault | undefined {
    const found = this.#faults.find(({ fault, left }) => left > 0 && path.endsWith(fault.path ?? ''));
    if (found !== undefined) found.left -= 1;
    return found?.fault;
  }
}
