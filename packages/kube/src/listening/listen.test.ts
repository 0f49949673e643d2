import { createServer } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { listenOn } from './listen.ts';

const local = { host: '127.0.0.1', sentence: (why: string) => `cannot listen: ${why}` };

function server() {
  const made = createServer();
  onTestFinished(() => void made.close());
  return made;
}

describe('a server that listens', () => {
  it('has the port that the system chose', async () => {
    const port = await listenOn(server(), { ...local, port: 0 });
    expect(port).toBeGreaterThan(0);
  });

  it('says in one sentence that another program has its port', async () => {
    const port = await listenOn(server(), { ...local, port: 0 });
    await expect(listenOn(server(), { ...local, port, setting: 'metrics-port' })).rejects.toMatchObject({
      code: 'port-in-use',
      message: 'cannot listen: another program uses it',
      details: { port, setting: 'metrics-port' },
    });
  });

  it('says what else is wrong with its address', async () => {
    const elsewhere = { ...local, host: '192.0.2.1', port: 0 };
    await expect(listenOn(server(), elsewhere)).rejects.toThrow('cannot listen: listen EADDRNOTAVAIL');
  });
});
