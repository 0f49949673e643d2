/** Where a command writes: results on `out`, everything meant for the person at the keyboard on `err`. */
export interface Terminal {
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
}

interface Streams {
  readonly stdout: NodeJS.WritableStream;
  readonly stderr: NodeJS.WritableStream;
}

export function terminalOf({ stdout, stderr }: Streams): Terminal {
  stdout.on('error', endQuietlyOnClosedPipe);
  return {
    out: (text) => void stdout.write(text),
    err: (text) => void stderr.write(text),
  };
}

/** `karpenter crds | head` closes the pipe early, which is no failure. */
function endQuietlyOnClosedPipe(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error;
  process.exit(0);
}
