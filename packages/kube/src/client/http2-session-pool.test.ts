import { PassThrough } from 'node:stream';
import { VirtualClock } from '@karpenter/testkit/clock';
import { describe, expect, it } from 'vitest';
import { Http2SessionPool } from './http2-session-pool.ts';

describe('a closed session pool', () => {
  it('destroys a connection that is established only after the close', async () => {
    const socket = new PassThrough();
    let connect: (socket: PassThrough) => void = () => undefined;
    const dialled = new Promise<PassThrough>((resolve) => {
      connect = resolve;
    });
    const pool = new Http2SessionPool(new URL('https://api.example:6443'), () => dialled, new VirtualClock());
    const acquired = pool.acquire();
    const closing = pool.close();
    connect(socket);
    await expect(acquired).rejects.toThrow('the client of https://api.example:6443 is closed');
    expect(socket.destroyed).toBe(true);
    await closing;
  });

  it('connects no more', async () => {
    const pool = new Http2SessionPool(
      new URL('https://api.example:6443'),
      () => Promise.reject(new Error('connected after all')),
      new VirtualClock(),
    );
    await pool.close();
    await expect(pool.acquire()).rejects.toThrow('the client of https://api.example:6443 is closed');
  });

  it('destroys its sessions after the event that closes it, and hands out none until then', async () => {
    const pool = new Http2SessionPool(
      new URL('https://api.example:6443'),
      () => Promise.reject(new Error('connected after all')),
      new VirtualClock(),
    );
    pool.adopt(new PassThrough());
    const { session } = await pool.acquire();
    const closing = pool.close();
    expect(session.destroyed).toBe(false);
    await expect(pool.acquire()).rejects.toThrow('the client of https://api.example:6443 is closed');
    await closing;
    expect(session.destroyed).toBe(true);
  });
});
