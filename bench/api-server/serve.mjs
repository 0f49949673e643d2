// The embedded API server in a process of its own, so that its memory can be told from that of its clients.
import { startApiServer } from '@karpenter/sim/apiserver';

const server = await startApiServer();
process.send({ url: server.url, caPem: server.caPem, token: server.token });
process.on('disconnect', () => server.stop().then(() => process.exit(0)));
