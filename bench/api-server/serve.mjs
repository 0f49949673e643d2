// The embedded API server in a separate process, so that its memory is measured apart from its clients. The
// optional argument holds its options.
import { startApiServer } from '@karpenter/sim/apiserver';

const server = await startApiServer(JSON.parse(process.argv[2] ?? '{}'));
const { url, caPem, token, kubeconfig } = server;
process.send({ url, caPem, token, kubeconfig });
process.on('disconnect', () => server.stop().then(() => process.exit(0)));
