/** GPUs and accelerators; `neuron` is reported as NeuronInfo, `inference` as InferenceAcceleratorInfo. */
export const devices = `
device              | reported as      | manufacturer | name                | MiB    | cores | version
M60                 | gpu              | NVIDIA       | M60                 | 8192   |       |
K80                 | gpu              | NVIDIA       | K80                 | 12288  |       |
T4                  | gpu              | NVIDIA       | T4                  | 16384  |       |
T4g                 | gpu              | NVIDIA       | T4g                 | 16384  |       |
A10G                | gpu              | NVIDIA       | A10G                | 22888  |       |
L4                  | gpu              | NVIDIA       | L4                  | 22888  |       |
L40S                | gpu              | NVIDIA       | L40S                | 45776  |       |
RTX-PRO-4500        | gpu              | NVIDIA       | RTX PRO 4500        | 32768  |       |
RTX-PRO-Server-6000 | gpu              | NVIDIA       | RTX PRO Server 6000 | 98304  |       |
V100-16             | gpu              | NVIDIA       | V100                | 16384  |       |
V100-32             | gpu              | NVIDIA       | V100                | 32768  |       |
A100-40             | gpu              | NVIDIA       | A100                | 40960  |       |
A100-80             | gpu              | NVIDIA       | A100                | 81920  |       |
H100                | gpu              | NVIDIA       | H100                | 81920  |       |
H200                | gpu              | NVIDIA       | H200                | 144384 |       |
B200                | gpu              | NVIDIA       | B200                | 183359 |       |
B300                | gpu              | NVIDIA       | B300                | 275040 |       |
V520                | gpu              | AMD          | Radeon Pro V520     | 8192   |       |
Gaudi               | gpu              | Habana       | Gaudi HL-205        | 32768  |       |
Inferentia          | neuron inference | AWS          | Inferentia          | 8192   | 4     | 1
Inferentia2         | neuron inference | AWS          | Inferentia2         | 32768  | 2     | 2
Trainium            | neuron           | AWS          | Trainium            | 32768  | 2     | 2
Trainium2           | neuron           | AWS          | Trainium2           | 524288 | 8     | 3
AI100               | inference        | Qualcomm     | Qualcomm AI100      | 16000  |       |
`;
