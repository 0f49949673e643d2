// `karpenter explain`: reads a cluster once and says why a pod is pending or where it is, why a node is kept and what
// a NodePool can launch. The answers are in `@karpenter/core/explanation`; here are the reading of the cluster, names
// and the text. It sends no write. Start reading at `explain-object.ts`.

export { answeredSubject } from './answered-subject.ts';
export { type ExplainPorts, explainObject } from './explain-object.ts';
export { type ExplainedObjects, explainedCluster } from './explained-cluster.ts';
export { explanationText } from './explanation-text.ts';
export { explainedKinds, namedSubject } from './named-subject.ts';
