/**
 * Creates X.509 certificates: a CA and server or client certificates signed by it, for webhooks and the
 * embedded cluster. Pure except for key generation; Node can parse certificates but not create them, hence
 * the DER encoder in `der.ts`. Start with `certificate.ts`.
 */

export {
  createAuthority,
  createLeaf,
  expiryOf,
  isFor,
  isPair,
  isRunningOut,
  isSignedBy,
  type KeyedCertificate,
} from './certificate.ts';
