import type { Protocol, WireOperation } from '../protocols/protocol.ts';

/** One service of AWS as the endpoint serves it. */
export interface WireService {
  /** As signatures name it: `ec2`. */
  readonly name: string;
  /** Of its query API, which tells services apart in requests without a signature. */
  readonly version?: string;
  /** Before the operation in the header of JSON requests. */
  readonly target?: string;
  /** False for a service that has one address for all regions. */
  readonly isRegional: boolean;
  /** The first that accepts a request serves it. */
  readonly protocols: readonly [Protocol, ...Protocol[]];
  readonly operations: readonly WireOperation[];
}
