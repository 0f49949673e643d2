import type { AdmissionChain } from '../admission/admission.ts';
import type { Store } from '../store/index.ts';

/** What writing needs of the server. */
export interface WriteServer {
  readonly store: Store;
  readonly admission: AdmissionChain;
}
