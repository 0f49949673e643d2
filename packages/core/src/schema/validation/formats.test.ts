import { describe, expect, test } from 'vitest';
import { stringFormat } from './formats.ts';

// Observed from kube-apiserver 1.36, oddities included.
const observed: Readonly<
  Record<string, { readonly accepts: readonly string[]; readonly refuses: readonly string[] }>
> = {
  'date-time': {
    accepts: [
      '2020-01-01T00:00:00Z',
      '2020-01-01t00:00:00z',
      '2020-01-01T00:00:00.123Z',
      '2020-01-01T00:00:00.123456789+02:00',
      '2020-01-01T00:00:00+25:00',
      '2020-01-01T00:00:00,5Z',
      '0000-01-01T00:00:00Z',
      '2020-01-01T00:00:00-00:00',
    ],
    refuses: [
      '2020-01-01T00:00:00',
      '2020-01-01T24:00:00Z',
      '2020-01-01T00:60:00Z',
      '2020-01-01T00:00:60Z',
      '2020-13-01T00:00:00Z',
      '2020-02-30T00:00:00Z',
      '2021-02-29T00:00:00Z',
      '2020-01-01 00:00:00Z',
      '2020-01-01T00:00:00+0200',
      '2020-01-01T00:00Z',
      '2020-01-01',
      '2020-1-1T00:00:00Z',
      '20200101T000000Z',
      '2020-01-01T00:00:00.Z',
      '2020-01-01T00:00:00Zx',
      'x2020-01-01T00:00:00Z',
    ],
  },
  date: {
    accepts: ['2020-01-01', '2020-02-29', '0000-01-01'],
    refuses: [
      '20200101',
      '2020-1-1',
      '2020-13-01',
      '2020-02-30',
      '2021-02-29',
      '2020-01-01T00:00:00Z',
      ' 2020-01-01',
    ],
  },
  byte: {
    accepts: ['YQ==', 'YWI=', 'YWJj', '+/+/'],
    refuses: ['YQ', 'YWJj\n', '-_==', 'YQ=', '====', 'a', 'YQ== ', 'YQ==YQ=='],
  },
  duration: {
    accepts: [
      '0',
      '1s',
      '1h30m',
      '-1s',
      '1.5h',
      '1 s',
      '1 day',
      '2 days',
      '1d',
      '1w',
      '1 week',
      '1 hour',
      '3 minutes',
      '1us',
      '1µs',
      '1ns',
      '1s ',
      '1h x',
      '-1 day',
      '1h2',
      '1day2h',
      '+1s',
      '1.5 day',
      '1m 3s',
      '1 milli',
      '1 second 3',
    ],
    refuses: ['1', '', 's', '1x', '1 month'],
  },
  ipv4: { accepts: ['1.2.3.4', '01.2.3.4'], refuses: ['1.2.3', '1.2.3.256', '::1', '1.2.3.4 '] },
  ipv6: {
    accepts: ['::1', '1:2:3:4:5:6:7:8', '::ffff:1.2.3.4', '::', 'ABCD::'],
    refuses: ['1.2.3.4', '1::2::3', 'fe80::1%eth0', 'gggg::', '1:2:3:4:5:6:7:8:9'],
  },
  cidr: {
    accepts: ['1.2.3.0/24', '1.2.3.4/24', '::/0', '01.2.3.0/24'],
    refuses: ['1.2.3.0/33', '::1/129', '1.2.3.4', '1.2.3.0/'],
  },
  mac: {
    accepts: [
      '00:11:22:33:44:55',
      '00-11-22-33-44-55',
      '0011.2233.4455',
      '001122334455',
      '00:11:22:33:44:55:66:77',
      'AA:bb:cc:DD:ee:FF',
      '00:00:00:00:fe:80:00:00:00:00:00:00:02:00:5e:10:00:00:00:01',
    ],
    refuses: ['00:11:22:33:44', '0:1:2:3:4:5'],
  },
  uuid: {
    accepts: [
      'a8098c1a-f86e-11da-bd1a-00112444be1e',
      'A8098C1A-F86E-11DA-BD1A-00112444BE1E',
      'a8098c1af86e11dabd1a00112444be1e',
      '00000000-0000-0000-0000-000000000000',
      'a8098c1a-f86e-41da-1d1a-00112444be1e',
    ],
    refuses: [
      '{a8098c1a-f86e-11da-bd1a-00112444be1e}',
      'urn:uuid:a8098c1a-f86e-11da-bd1a-00112444be1e',
      'a8098c1a-f86e-11da-bd1a-00112444be1',
    ],
  },
  uri: {
    accepts: [
      'http://a.b/c',
      'http://a',
      '/a',
      '/a b',
      'mailto:a@b',
      'http://',
      'urn:a:b',
      '//a/b',
      'http://[::1]/',
      'a:b',
      'file:///x',
      'HTTP://X',
    ],
    refuses: ['a', '://x', 'http://a b', '?x', '#x', 'http://a/%zz', '1http://x'],
  },
  email: {
    accepts: ['a@b', 'a@b.c', '<a@b.c>', 'A B <a@b.c>', 'a@b.c '],
    refuses: ['a', '@b', 'a@', 'a b@c', 'a@b@c'],
  },
  hostname: {
    accepts: [
      '1',
      'a',
      'a-',
      'A',
      'a.xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx',
      'é',
      'example.com',
      'localhost',
    ],
    refuses: [
      'a.b',
      'a-b.c',
      '-a',
      'a_b',
      'a..b',
      'a.',
      '1.2.3.4',
      'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx',
      'a.1',
      'xn--a',
    ],
  },
  bsonobjectid: {
    accepts: ['507f1f77bcf86cd799439011', '507F1F77BCF86CD799439011'],
    refuses: ['507f1f77bcf86cd79943901'],
  },
  isbn: { accepts: ['0-306-40615-2', '9780306406157', '0306406152'], refuses: ['0306406153'] },
  isbn10: {
    accepts: ['0-306-40615-2', '0306406152', '080442957X'],
    refuses: ['0306406153', '9780306406157'],
  },
  isbn13: { accepts: ['9780306406157', '978-0-306-40615-7'], refuses: ['9780306406158', '0306406152'] },
  creditcard: {
    accepts: ['4111111111111111', '4111-1111-1111-1111', '4111 1111 1111 1111', '378282246310005'],
    refuses: ['4111111111111112', '1234567890123'],
  },
  ssn: { accepts: ['123-45-6789', '123 45 6789'], refuses: ['123456789', '123-45-678', '123-456789'] },
  hexcolor: { accepts: ['#fff', '#ffffff', 'fff', '#FFFFFF', 'FFFFFF'], refuses: ['#ggg', '#ffff'] },
  rgbcolor: {
    accepts: ['rgb(1,2,3)', 'rgb(1, 2, 3)', 'rgb( 1 , 2 , 3 )', 'rgb(255,255,255)'],
    refuses: ['rgb(256,0,0)', 'rgb(1,2)', 'RGB(1,2,3)', 'rgb(01,2,3)'],
  },
  'k8s-short-name': {
    accepts: ['1', 'a', 'a-b', 'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx'],
    refuses: [
      'A',
      'a.b',
      '-a',
      'a-',
      'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx',
      'a_b',
    ],
  },
  'k8s-long-name': {
    accepts: [
      'a',
      'a.b',
      'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx',
      'a.xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx',
    ],
    refuses: [
      'A',
      'a..b',
      '-a',
      'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx',
    ],
  },
  uuid3: {
    accepts: ['a8098c1a-f86e-31da-bd1a-00112444be1e', 'a8098c1af86e31dabd1a00112444be1e'],
    refuses: ['a8098c1a-f86e-11da-bd1a-00112444be1e'],
  },
  uuid4: {
    accepts: ['a8098c1a-f86e-41da-bd1a-00112444be1e', 'a8098c1af86e41dabd1a00112444be1e'],
    refuses: ['a8098c1a-f86e-41da-1d1a-00112444be1e'],
  },
  uuid5: {
    accepts: ['a8098c1a-f86e-51da-bd1a-00112444be1e'],
    refuses: ['a8098c1a-f86e-51da-1d1a-00112444be1e'],
  },
};

describe.each(Object.entries(observed))('format %s', (name, { accepts, refuses }) => {
  test.each(accepts)('accepts %j', (text) => {
    expect(stringFormat(name)?.(text)).toBe(true);
  });

  test.each(refuses)('rejects %j', (text) => {
    expect(stringFormat(name)?.(text)).toBe(false);
  });
});

test.each(['whatever', 'ip', 'base64', 'DATE', 'constructor', undefined])(
  'does not check the format %s',
  (name) => {
    expect(stringFormat(name)).toBeUndefined();
  },
);

test('finds a format without its dashes', () => {
  expect(stringFormat('datetime')?.('x')).toBe(false);
});

// With an expression that backtracks each of these takes minutes.
test.each(['1', '1 ', ' ', 'h', '1h'])('decides on a long text of %j at once', (part) => {
  expect(stringFormat('duration')?.(`${part.repeat(500_000 / part.length)}!`)).toBe(part === '1h');
});
