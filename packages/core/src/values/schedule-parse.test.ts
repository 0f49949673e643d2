import { describe, expect, it } from 'vitest';
import type { CronSchedule } from './schedule.ts';
import { parseSchedule } from './schedule-parse.ts';

function cron(text: string): CronSchedule {
  const schedule = parseSchedule(text);
  if (schedule.kind !== 'cron') throw new Error(`${text} is not a cron`);
  return schedule;
}

const general =
  'write minute, hour, day of month, month and day of week in UTC, such as "0 9 * * mon-fri", or @hourly, @daily, @weekly, @monthly, @yearly or "@every 1h"';

describe('parseSchedule', () => {
  it('reads lists, ranges and steps', () => {
    const { minutes, hours } = cron('5,1-3,50/4 */6 * * *');
    expect(minutes).toEqual([1, 2, 3, 5, 50, 54, 58]);
    expect(hours).toEqual([0, 6, 12, 18]);
    expect(cron('1-10/3 +7 * * *')).toMatchObject({ minutes: [1, 4, 7, 10], hours: [7] });
  });

  it('reads names of months and days in any case', () => {
    const { months, daysOfWeek } = cron('0 0 * JAN-mar,Dec Mon-FRI');
    expect([...months]).toEqual([1, 2, 3, 12]);
    expect([...daysOfWeek]).toEqual([1, 2, 3, 4, 5]);
  });

  it('records whether both day fields must match', () => {
    const texts = ['0 0 * * 1', '0 0 1 * ?', '0 0 1 * 1', '0 0 */1 * 1', '0 0 */2 * 1'];
    expect(texts.map((text) => cron(text).needsBothDays)).toEqual([true, true, false, true, false]);
  });

  it.each([
    ['@yearly', '0 0 1 1 *'],
    ['@annually', '0 0 1 1 *'],
    ['@monthly', '0 0 1 * *'],
    ['@weekly', '0 0 * * 0'],
    ['@daily', '0 0 * * *'],
    ['@midnight', '0 0 * * *'],
    ['@hourly', '0 * * * *'],
    [' @daily ', '0 0 * * *'],
    ['  0 \t 0 * * *\n', '0 0 * * *'],
  ])('reads %j like %j', (text, same) => {
    expect(parseSchedule(text)).toEqual(parseSchedule(same));
  });

  it.each([
    ['@every 1h', 3_600_000],
    ['@every 1500ms', 1_000],
    ['@every 1ns', 1_000],
    ['@every -5m', 1_000],
  ])('reads %s in whole seconds, at least one', (text, everyMs) => {
    expect(parseSchedule(text)).toEqual({ kind: 'interval', everyMs });
  });

  it.each([
    '',
    '* * * *',
    '* * * * * *',
    '@Daily',
    '@daily extra',
    '@reboot',
    '@every',
    'TZ=UTC 0 0 * * *',
    'CRON_TZ=Europe/Paris 0 0 * * *',
    'constructor',
  ])('rejects %j and shows what a schedule looks like', (text) => {
    expect(() => parseSchedule(text, 'budgets[0].schedule')).toThrow(
      `budgets[0].schedule: ${JSON.stringify(text)} is not a cron schedule; ${general}`,
    );
  });

  it.each([
    ['60 * * * *', 'its minute "60" must be *, values 0-59, ranges, or either with a /step'],
    ['0 24 * * *', 'its hour "24" must be'],
    ['0 0 0 * *', 'its day of month "0" must be *, values 1-31'],
    ['0 0 L * *', 'its day of month "L" must be'],
    ['0 0 * 13 *', 'its month "13" must be *, values 1-12 or jan-dec'],
    ['0 0 * * 7', 'its day of week "7" must be *, values 0-6 or sun-sat'],
    ['0 0 * * 1#2', 'its day of week "1#2" must be'],
    ['5-1 * * * *', 'its minute "5-1" must be'],
    ['1-2-3 * * * *', 'its minute "1-2-3" must be'],
    ['*/0 * * * *', 'its minute "*/0" must be'],
    ['*/ * * * *', 'its minute "*/" must be'],
    ['1/2/3 * * * *', 'its minute "1/2/3" must be'],
    ['jan * * * *', 'its minute "jan" must be'],
    ['-1 * * * *', 'its minute "-1" must be'],
    ['@every soon', 'write a duration after @every'],
  ])('rejects %j and names the invalid part', (text, advice) => {
    expect(() => parseSchedule(text)).toThrow(
      `schedule: ${JSON.stringify(text)} is not a cron schedule; ${advice}`,
    );
  });
});
