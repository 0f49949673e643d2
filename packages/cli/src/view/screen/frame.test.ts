import { TerminalEmulator } from '@karpenter/testkit/terminal';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { changes, type Frame, frameOf } from './frame.ts';
import { plain, styled } from './text.ts';

function shows(terminal: TerminalEmulator, frame: Frame): boolean {
  return frame.rows.every(({ characters, styles }, row) =>
    characters.every((character, column) => {
      const shown = terminal.cellAt(row, column);
      return shown.character === character && shown.style === styles[column];
    }),
  );
}

const spans = fc.array(
  fc.record({
    text: fc.stringMatching(/^[a-c ░█]{0,6}$/),
    style: fc.constantFrom('', '1', '2', '38;2;1;2;3'),
  }),
  { maxLength: 4 },
);
const frames = fc.array(fc.array(spans, { maxLength: 5 }), { minLength: 1, maxLength: 5 });

describe('the changes between two frames', () => {
  it('turn a terminal that shows one into a terminal that shows the other', () => {
    fc.assert(
      fc.property(
        frames,
        fc.array(fc.integer({ min: 1, max: 20 }), { minLength: 5, maxLength: 5 }),
        (all, widths) => {
          const terminal = new TerminalEmulator();
          let before: Frame | undefined;
          for (const [index, lines] of all.entries()) {
            const frame = frameOf(lines, { columns: widths[index] ?? 20, rows: 4 });
            terminal.write(changes(before, frame));
            expect(shows(terminal, frame)).toBe(true);
            before = frame;
          }
        },
      ),
    );
  });

  it('are the cells that differ and no others', () => {
    const size = { columns: 20, rows: 3 };
    const before = frameOf([[plain('3 nodes'), styled('  51%', '1')]], size);
    const after = frameOf([[plain('4 nodes'), styled('  52%', '1')]], size);
    const terminal = new TerminalEmulator();
    terminal.write(changes(before, after));
    expect(terminal.written).toBe(2);
    expect(changes(after, after)).toBe('');
  });

  it('begin with a clear screen at first and after a resize', () => {
    const frame = frameOf([[plain('x')]], { columns: 5, rows: 2 });
    expect(changes(undefined, frame)).toContain('\u001b[2J');
    expect(changes(frameOf([], { columns: 6, rows: 2 }), frame)).toContain('\u001b[2J');
  });
});
