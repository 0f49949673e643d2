import type { ServerResponse } from 'node:http';
import { Session } from 'node:inspector/promises';
import { setTimeout } from 'node:timers/promises';
import { getHeapSnapshot } from 'node:v8';

const defaultSeconds = 30;
const maxSeconds = 600;

/**
 * Serves the profiles of /debug/pprof under the names of Go's pprof, in the formats of Chrome's developer
 * tools: `profile` is CPU time (.cpuprofile), `heap` a heap snapshot (.heapsnapshot). Other names get a 404.
 */
export async function serveProfile(
  name: string,
  parameters: URLSearchParams,
  response: ServerResponse,
): Promise<void> {
  if (name === 'profile') return sendCpuProfile(secondsIn(parameters), response);
  if (name === 'heap') {
    getHeapSnapshot().pipe(response);
    return;
  }
  response.statusCode = 404;
  response.end(`there is no profile ${name}; there are profile and heap`);
}

function secondsIn(parameters: URLSearchParams): number {
  const seconds = Number(parameters.get('seconds') ?? defaultSeconds);
  return seconds > 0 && seconds <= maxSeconds ? seconds : defaultSeconds;
}

async function sendCpuProfile(seconds: number, response: ServerResponse): Promise<void> {
  const session = new Session();
  session.connect();
  try {
    await session.post('Profiler.enable');
    await session.post('Profiler.start');
    await setTimeout(seconds * 1000);
    const { profile } = await session.post('Profiler.stop');
    response.setHeader('Content-Type', 'application/json');
    response.end(JSON.stringify(profile));
  } finally {
    session.disconnect();
  }
}
