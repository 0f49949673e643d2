// The embedded API server in a process of its own, so that its memory can be told from that of its clients. Its options
// are the argument, if there is one.
import { startApiServer } from '@karpenter/sim/apiserver';

const server = await startApiServer(JSON.parse(process.argv[2] ?? '{}'));
const { url, caPem, token, kubeconfig } = server;
process.send({ url, caPem, token, kubeconfig });
process.on('disconnect', () => server.stop().then(() => process.exit(0)));
