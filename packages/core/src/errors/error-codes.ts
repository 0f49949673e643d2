/**
 * Every failure this product reports has one of these codes. `docs/reference/errors.md` is generated from
 * this table, so a code cannot exist undocumented nor a documented one be gone.
 */
export const errorCodes = {
  'invalid-quantity': 'a text is not a Kubernetes quantity',
  'invalid-duration': 'a text is not a duration',
  'invalid-schedule': 'a text is not a cron schedule',
  'invalid-requirement': 'a requirement has an unknown operator or unusable values',
  'invalid-selector': 'a label selector has an unknown operator or unusable values',
  'invalid-setting': 'a flag or environment variable has a value that cannot be used',
  'unknown-resource': 'a command names a custom resource that does not exist',
  'unreadable-file': 'a file that a command was given cannot be read',
  'empty-file': 'a file that a command was given has nothing in it',
  'malformed-file': 'a file is neither JSON nor YAML, or breaks off',
  'unknown-kind': 'an object of a file has no kind, or one that the command cannot use',
  'invalid-object': 'an object of a file is not as its kind demands',
  'unwritable-file': 'a file cannot be written',
  'invalid-faults': 'a setting of the faults of the simulated cloud is unknown or cannot be used',
  'port-in-use': 'a port that a server was to listen on is taken',
  'damaged-data-directory': 'a file in the data directory of the embedded cluster is damaged',
  'api-refused': 'the API server answered a request with an error',
  'api-unreachable': 'no usable answer to a request came from the API server',
  'no-cluster': 'neither a kubeconfig nor the account of a pod was found',
  'invalid-kubeconfig': 'a kubeconfig is missing, unreadable or lacks what it refers to',
  'credentials-failed': 'a token or certificate for the API server could not be had',
  'lease-lost': 'a leader could not renew its lease, or another took it',
  'unnamed-object': 'an object that is to be written has no name',
  'invalid-user-data': 'the user data of an EC2NodeClass cannot be merged with what a node needs',
  'unknown-cluster-cidr': 'the addresses of the services of the cluster are needed and not known yet',
  'insufficient-capacity': 'the cloud has none of the machines that a NodeClaim allows',
  'node-class-not-ready': 'the NodeClass of a NodeClaim cannot be used as it is',
  'launch-failed': 'the cloud refused to start a machine, for another reason than capacity',
  'machine-not-found': 'the machine of a NodeClaim does not exist',
  'machine-in-shifted-zone': 'a machine is left alone while traffic is shifted away from its zone',
  'unresolved-node-class': 'what an EC2NodeClass selects cannot be found out',
  'unsupported-version': 'the cluster runs a version of Kubernetes that this release is not made for',
  'unknown-region': 'it cannot be told in which AWS region this process runs',
  'aws-call-failed': 'AWS answered in a way that nothing can be done with',
  'no-prices': 'AWS answered a question about prices with none',
  'limit-exceeded': 'the nodes of a NodePool already have more of a resource than its limits allow',
  'node-pool-gone': 'a NodePool was deleted before a node that was planned for it could be asked for',
  'no-instance-types':
    'there are no instance types of the wanted names, or none that EC2 sells in the zones of a class',
  'control-plane-not-built': 'the programs of the test control plane were not built on this machine',
  'control-plane-not-started': 'a program of the test control plane ended or was not ready in time',
} as const satisfies Record<string, string>;

export type ErrorCode = keyof typeof errorCodes;
