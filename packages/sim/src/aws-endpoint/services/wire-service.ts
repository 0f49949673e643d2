import type { Protocol, WireOperation } from '../protocols/protocol.ts';

/** One service of AWS as the endpoint serves it. */
export interface WireService {
  /** The service name in signatures: `ec2`. */
  readonly name: string;
  /** API version of its query protocol, which identifies the service in requests without a signature. */
  readonly version?: string;
  /** Prefix of the operation in the `X-Amz-Target` header of JSON requests. */
  readonly target?: string;
  /** False for a service that has one address for all regions. */
  readonly isRegional: boolean;
  /** The first that accepts a request serves it. */
  readonly protocols: readonly [Protocol, ...Protocol[]];
  readonly operations: readonly WireOperation[];
}
