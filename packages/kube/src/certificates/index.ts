export {
  createAuthority,
  createLeaf,
  expiryOf,
  type KeyedCertificate,
  type LeafOptions,
  type Validity,
} from './certificate.ts';
