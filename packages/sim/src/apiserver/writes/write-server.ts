import type { AdmissionChain } from '../admission/admission.ts';
import type { Store } from '../store/index.ts';
import type { RequestWork } from './request-work.ts';

/** The components of the server that writes need. */
export interface WriteServer {
  readonly store: Store;
  readonly admission: AdmissionChain;
  readonly work: RequestWork;
}
