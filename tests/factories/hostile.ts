/** Characters that a text of one line must not contain, by kind. */
export const hostileCharacters = {
  'half of a pair, the first': '\ud83d',
  'half of a pair, the second': '\ude00',
  NUL: '\u0000',
  'a bell': '\u0007',
  'the end of a line': '\n',
  'another end of a line': '\u2028',
  'a C1 control': '\u009b',
  'an override of direction': '\u202e',
  'an isolate of direction': '\u2066',
  'a mark of direction': '\u200f',
  'an Arabic mark of direction': '\u061c',
  'a space without width': '\u200b',
  'a joiner': '\u200d',
  'a word joiner': '\u2060',
  'a mark of byte order': '\ufeff',
  'a soft hyphen': '\u00ad',
  'a filler that nobody sees': '\u3164',
  'a tag': '\u{e0061}',
} as const

/** Characters that no text may contain. */
export const unstorable = ['half of a pair, the first', 'half of a pair, the second', 'NUL'] as const

const deep = (depth: number) => {
  let value: unknown = 'x'
  for (let level = 0; level < depth; level++) value = level % 2 ? [value] : { a: value }
  return value
}

/** Values of all types, for a field that accepts at most one of them. */
export const hostileValues: unknown[] = [
  null,
  true,
  0,
  -1,
  1.5,
  1e308,
  Number.MAX_SAFE_INTEGER + 1,
  '',
  ' ',
  [],
  [[]],
  [null],
  {},
  { toString: 'x' },
  deep(20),
  deep(2000),
  'x'.repeat(100_000),
  '\u0650'.repeat(4000),
  '\ufdfa'.repeat(4000),
  "' or 1=1 --",
  '$1; select pg_sleep(1)',
  '\\u0000',
  '%00',
  '../../etc/passwd',
  '<script>alert(1)</script>',
  '{{7*7}}',
  '__proto__',
  'constructor',
  '2026-13-45T99:99:99Z',
  '00000000-0000-0000-0000-000000000000',
]

/** Raw bodies, each with its content type. `sample` is one that the call accepts. */
export const hostileBodies = (sample: string): { body: string | Uint8Array<ArrayBuffer>; type: string }[] => {
  const json = 'application/json'
  const first = /^\{("[^"]+"):/.exec(sample)?.[1] ?? '"a"'
  return [
    ...['', ' ', '{', '[', 'null', '0', '"text"', '[]', 'NaN', '{"a":1}{', "{'a':1}", `\ufeff${sample}`].map(
      (body) => ({
        body,
        type: json,
      }),
    ),
    { body: `{${first}:1,${first}:{"a":[]},${sample.slice(1)}`, type: json },
    { body: '{"__proto__":{"admin":true},"constructor":{"prototype":{"admin":true}}}', type: json },
    { body: `{${first}:{"__proto__":{"admin":true}}}`, type: json },
    { body: '{"\\ud800":1,"\\u0000":2}', type: json },
    { body: `{${first}:${'['.repeat(20_000)}${']'.repeat(20_000)}}`, type: json },
    { body: `{"a":${'{"a":'.repeat(9000)}1${'}'.repeat(9000)}}`, type: json },
    { body: '['.repeat(30_000), type: json },
    { body: JSON.stringify({ a: 'x'.repeat(300_000) }), type: json },
    { body: new Uint8Array([0x7b, 0x22, 0xed, 0xa0, 0x80, 0x22, 0x3a, 0x31, 0x7d]), type: json },
    { body: new Uint8Array([0xff, 0xfe, 0x7b, 0x00, 0x7d, 0x00]), type: 'application/json; charset=utf-16' },
    ...['', 'text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', 'application/jsonx']
      .concat('application/problem+json', 'text/json', '*/*', 'application/json, text/plain')
      .map((type) => ({ body: sample, type })),
    { body: sample, type: 'APPLICATION/JSON;charset=utf-8' },
  ]
}

/** Raw queries of an address; `key` is a parameter of the call, if it has any. */
export const hostileQueries = (key: string): string[] => [
  `${key}=1&${key}=2&${key}=3`,
  `${key}[a]=1`,
  `${key}[a][b]=1`,
  `${key}[]=1`,
  `${key}[__proto__]=1`,
  `${key}=1&${key}[a]=2`,
  `${key}[a]=1&${key}=2`,
  `${key}[constructor]=1&${key}[toString]=2`,
  `${key}=%ED%A0%80`,
  `${key}=%00`,
  `${key}=%zz%`,
  `${key}=${'x'.repeat(8000)}`,
  '__proto__=1',
  '__proto__[admin]=1',
  'constructor[prototype]=1',
  'hasOwnProperty=1',
  '%00=1',
  '=1',
  'meta=1',
  'meta[page]=1e9&meta[perPage]=-1',
  'meta[page]=999999999999999999999',
  'filter[__proto__][x]=1',
  'sort=sideways&sortBy=(select+1)',
]

const latin = '\u0080\u009f\u00ff'
/** Headers as a client may send them; every character is one byte. */
export const hostileHeaders: Record<string, string>[] = [
  { 'user-agent': latin.repeat(200) },
  { 'user-agent': '' },
  { 'accept-language': latin },
  { 'accept-language': 'x-'.repeat(4000) },
  { 'idempotency-key': latin },
  { 'idempotency-key': 'k'.repeat(256) },
  { authorization: 'Bearer' },
  { authorization: `Bearer ${latin}` },
  { authorization: 'Bearer a.b.c' },
  { authorization: 'DPoP x' },
  {
    cookie: ['session', 'attempt', 'locale', 'theme', 'device', 'deviceType', 'backLink']
      .map((name) => `${name}=%00`)
      .join('; '),
  },
  { cookie: ['session', 'attempt', 'locale', 'device', 'deviceType'].map((name) => `${name}=${latin}`).join('; ') },
  { cookie: ['session', 'attempt', 'locale', 'device', 'deviceType'].map((name) => `${name}=%ED%A0%80`).join('; ') },
  { cookie: '=; ;;;__proto__=1; session' },
  { host: 'evil.example' },
  { 'content-length': '-1' },
  { origin: latin },
  { 'sec-fetch-site': latin },
]

/** Raw forms with these fields, each as its client writes it. */
export const hostileForms = (fields: string[]): { body: string; type: string }[] => {
  const type = 'multipart/form-data; boundary=b'
  const form = (...parts: string[]) => `${parts.map((part) => `--b\r\n${part}\r\n`).join('')}--b--\r\n`
  const part = (name: string, value: string, more = '') =>
    `Content-Disposition: form-data; name="${name}"${more}\r\n\r\n${value}`
  const signs = Object.values(hostileCharacters).filter((sign) => sign.isWellFormed())
  const bodies = [
    ...[
      '',
      '--b',
      '--b--',
      '--b\r\n\r\n--b--\r\n',
      '--b\r\n'.repeat(5000),
      form(...Array.from({ length: 3000 }, () => 'x')),
    ],
    ...['__proto__', 'constructor', 'a\u0000b', 'x'.repeat(5000), ''].map((name) => form(part(name, 'x'))),
    ...fields.flatMap((name) => signs.map((sign) => form(part(name, `a${sign}b`)))),
    ...fields.flatMap((name) => [
      form(part(name, 'x'), part(name, 'y')),
      form(part(name, 'x'.repeat(200_000))),
      form(part(name, 'x', '; filename="../../x"')),
    ]),
    form(...Array.from({ length: 200 }, (_, n) => part(`f${n}`, 'x', '; filename="x"'))),
    form(part('x', 'x', `; filename="${'x'.repeat(20_000)}"`)),
    `--b\r\n${Array.from({ length: 3000 }, (_, n) => `X${n}: y`).join('\r\n')}\r\n\r\nx\r\n--b--\r\n`,
  ]
  return [
    ...bodies.map((body) => ({ body, type })),
    ...[
      'multipart/form-data',
      'multipart/form-data; boundary=',
      `multipart/form-data; boundary=${'b'.repeat(3000)}`,
      'multipart/mixed; boundary=b',
    ].map((each) => ({ body: form(part('x', 'y')), type: each })),
  ]
}
