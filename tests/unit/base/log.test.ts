import { randomUUID } from 'node:crypto'
import { DrizzleQueryError } from 'drizzle-orm/errors'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { withoutSecrets } from '@/lib/base/mail-and-sms/send-error'
import { errorRecord, errorText } from '@/lib/base/runtime/error-record'
import { log } from '@/lib/base/runtime/log'
import { caseNumbers, eachRound } from '../../factories/random-cases'

const random = caseNumbers(50)
const bytes = (length: number) => Buffer.from(Array.from({ length }, () => random(256)))
const secrets = () => ({
  email: `ivan.${bytes(4).toString('hex')}@mail.example`,
  password: `Пароль-${bytes(9).toString('base64')}!`,
  hash: `$argon2id$v=19$m=19456,t=2,p=1$${bytes(12).toString('base64')}$${bytes(24).toString('base64')}`,
  token: bytes(32).toString('base64url'),
  standard: bytes(33).toString('base64'),
  digest: bytes(32).toString('hex'),
  link: randomUUID(),
  mobile: `+7900${1_000_000 + random(8_999_999)}`,
  code: `${1000 + random(8_999)}x${bytes(3).toString('hex')}`,
})
type Secrets = ReturnType<typeof secrets>
const named = (s: Secrets) => Object.values(s).join(', ')

function databaseError(s: Secrets, code: string, fields: object = {}) {
  const error = new pg.DatabaseError(`refused: "${named(s)}"`, 100, 'error')
  return Object.assign(error, {
    severity: 'ERROR',
    code,
    detail: `Failing row contains (${named(s)}).`,
    where: `COPY users, line 1: ${named(s)}`,
    hint: named(s),
    internalQuery: `select '${s.password}'`,
    constraint: 'users_email_unique',
    table: 'users',
    ...fields,
  })
}

const queryError = (s: Secrets, cause: Error) =>
  new DrizzleQueryError('insert into "users" ("email", "password") values ($1, $2)', Object.values(s), cause)

/** All errors that may contain data that people sent. */
const thrown: Record<string, (s: Secrets) => unknown> = {
  'a broken constraint': (s) => queryError(s, databaseError(s, '23505')),
  'a value that PostgreSQL does not read': (s) => queryError(s, databaseError(s, '22P02')),
  'an exception of a trigger': (s) => databaseError(s, 'P0001'),
  'a query below an aggregate': (s) =>
    new AggregateError([queryError(s, databaseError(s, '23514'))], `${s.email}, ${s.standard}`),
  'causes below causes': (s) =>
    new Error(`outer ${s.email} ${s.token}`, {
      cause: new Error(`inner ${s.hash}`, { cause: queryError(s, databaseError(s, '23503')) }),
    }),
  'fields of any name': (s) =>
    Object.assign(new Error('failed'), { input: s.password, request: { headers: { ...s } } }),
  'a Redis reply': (s) =>
    Object.assign(new Error(`ERR unknown command 'SETT', with args beginning with: '${s.code}' '${s.password}'`), {
      name: 'ReplyError',
      command: { name: 'sett', args: Object.values(s) },
    }),
  'an SMTP refusal': (s) =>
    Object.assign(new Error(`Can't send mail: 550 5.1.1 <${s.email}>: Recipient address rejected`), {
      code: 'EENVELOPE',
      response: `550 <${s.email}>`,
      rejected: [s.email],
      envelope: { to: [s.email] },
    }),
  'a fetch with an address': (s) =>
    new TypeError(
      `Failed to parse URL from https://u:${s.token}@gateway.example/send?to=${s.mobile}&text=${s.digest}`,
      {
        cause: Object.assign(new TypeError('Invalid URL'), { code: 'ERR_INVALID_URL', input: `//${s.email}` }),
      },
    ),
  'a text': (s) => `${s.email} ${s.token} ${s.link} ${s.mobile}`,
  'an object': (s) => ({ message: `${s.email} ${s.hash}`, ...s, detail: named(s) }),
}

describe('the log', () => {
  let lines = ''
  const level = log.level
  beforeEach(() => {
    lines = ''
    log.level = 'debug'
    const stream = (log as never as Record<symbol, { write(text: string): boolean }>)[
      Object.getOwnPropertySymbols(log).find((symbol) => String(symbol) === 'Symbol(pino.stream)') as symbol
    ]!
    vi.spyOn(stream, 'write').mockImplementation((text: string) => {
      lines += text
      return true
    })
  })
  afterEach(() => {
    log.level = level
    vi.restoreAllMocks()
  })

  const expectNothingOf = (s: Record<string, string>, said: string) => {
    for (const [name, value] of Object.entries(s)) expect(said, name).not.toContain(value)
  }

  it.each(Object.keys(thrown))('contains nothing that people sent: %s', (kind) => {
    for (const _ of eachRound(50)) {
      const s = secrets()
      const error = thrown[kind]!(s)
      log.error({ err: error }, 'call failed')
      log.error(error as Error)
      log.warn({ error, deep: { list: [{ cause: error }] } }, 'nested')
      if (typeof error === 'object' && kind !== 'an object') log.error('as a word: %s', error)
      log.error(errorText(error))
      expectNothingOf(s, lines)
      expectNothingOf(s, errorText(error))
      expect(lines).not.toBe('')
      lines = ''
    }
  })

  it('hides fields that are named like secrets, at any depth, and values that look like secrets', () => {
    const s = secrets()
    log.info({ ...s, user: { login: s.code, list: [{ repeatPassword: s.password, note: s.email }] } }, 'fields')
    log.child({ email: s.email, about: s.hash }).info('bound')
    log.info(`${s.email} ${s.hash} ${s.token}`)
    log.info({ headers: new Headers({ cookie: s.token }), seen: new Map([[s.email, s.token]]) }, 'instances')
    expectNothingOf({ ...s, link: 'none of these', mobile: 'none', standard: 'none', digest: s.digest }, lines)
  })

  it('contains what an operator needs: code, constraint, table, statement, place', () => {
    const s = secrets()
    log.error({ err: queryError(s, databaseError(s, '23505')), requestId: s.link }, 'call failed')
    const line = JSON.parse(lines)
    expect(line).toMatchObject({
      requestId: s.link,
      msg: 'call failed',
      err: {
        statement: 'insert into "users" ("email", "password") values ($1, $2)',
        stack: expect.stringContaining('log.test.ts'),
        cause: { code: '23505', constraint: 'users_email_unique', table: 'users' },
      },
    })
    lines = ''
    const refused = Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:5432'), { code: 'ECONNREFUSED' })
    log.error({ err: new AggregateError([refused]) }, 'call failed')
    expect(JSON.parse(lines).err.errors[0]).toMatchObject({
      code: 'ECONNREFUSED',
      message: 'connect ECONNREFUSED 127.0.0.1:5432',
    })
  })

  it('handles errors that are their own cause', () => {
    const error = new Error('loop')
    error.cause = error
    expect(JSON.stringify(errorRecord(error)).length).toBeLessThan(20_000)
  })

  it('contains nothing that a text column refuses or a terminal executes, whatever another server answered', () => {
    for (const thrown of [new Error('a\u0000b\u001b[2Jc\ud800\nd'), 'a\u0000b\u001b[2Jc\ud800\nd'])
      expect(errorRecord(thrown).message).toBe('a b [2Jc\ufffd\nd')
  })

  it.each(['a', '1', 'a@', '+7', 'x://', '$a$', '(', 'aB/'])('is as fast with a megabyte of %s', (text) => {
    const { message } = errorRecord(
      new Error(`refused by anna@polaris.example: ${text.repeat(1_000_000 / text.length)}`),
    )
    expect(message).toMatch(/^refused by \(e-mail\):/)
    expect(message.length).toBeLessThanOrEqual(1_000)
  })

  it.each(['a', '1', 'x://'])('and when a mail server or a gateway answers a megabyte of %s', (text) => {
    expect(withoutSecrets(`refused anna@polaris.example ${text.repeat(1_000_000 / text.length)}`)).toBe(
      'refused (e-mail)',
    )
  })

  it('keeps ids whole, whatever their digits look like', () => {
    const id = '2fee67c9-e8be-419d-8967-86353f8ea6f5'
    expect(withoutSecrets(`client-${id}: +7 (958) 000-00-01 refused`)).toBe(`client-${id}: (number) refused`)
    for (const _ of eachRound(2000)) {
      const text = `client-${randomUUID()}`
      expect(withoutSecrets(text)).toBe(text)
    }
  })

  it('shortens a value only after it has recognized it', () => {
    for (let at = 3_900; at < 4_100; at++) {
      const { message } = errorRecord(new Error(`${'anna@polaris.example '.repeat(190).slice(0, at)} +79580000001 x`))
      expect(message).not.toMatch(/\+\d|anna/)
    }
  })
})
