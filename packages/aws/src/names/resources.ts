/** Extended resources of EC2 instance types. */
export const awsResources = {
  podEni: 'vpc.amazonaws.com/pod-eni',
  privateIpv4Address: 'vpc.amazonaws.com/PrivateIPv4Address',
  efa: 'vpc.amazonaws.com/efa',
  nvidiaGpu: 'nvidia.com/gpu',
  amdGpu: 'amd.com/gpu',
  habanaGaudi: 'habana.ai/gaudi',
  neuron: 'aws.amazon.com/neuron',
  neuronCore: 'aws.amazon.com/neuroncore',
  /** Pods request it to get an enclave; no type has it as capacity. */
  nitroEnclaveSlots: 'eks.amazonaws.com/nip-slots',
} as const;
