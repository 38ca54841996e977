import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { describe, expect, inject, test } from 'vitest'
import { parseEnv } from '@/lib/base/runtime/env'
import { bundled } from '../../setup/bundled'
import { useTestDatabase } from '../../setup/database'

useTestDatabase()

const key = 'aB3cD6eF0gH2jK4lM7nP9qSkT9vQ2xL7mN4pR8sW1yZ5'

/** Starts a command with only this environment. Returns how it ended and what it printed. */
function start(command: string, env: Record<string, string | undefined>, ...args: string[]) {
  const child = spawn(process.execPath, [bundled(`bin/${command}.ts`), ...args], {
    env: { PATH: process.env.PATH, NODE_ENV: 'production', ...env } as NodeJS.ProcessEnv,
  })
  let printed = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      printed += chunk
    })
  return new Promise<{ code: number | null; printed: string }>((resolve) =>
    child.once('close', (code) => resolve({ code, printed: printed.trim() })),
  )
}

/** The environment that a start needs, with the services of this test file. */
const whole = () => ({
  PLATFORM_MODE: 'test',
  PUBLIC_URL: 'http://localhost:3000',
  DATABASE_URL: process.env.DATABASE_URL,
  REDIS_URL: process.env.REDIS_URL,
  // the data in the database is encrypted with it
  SECRET_KEYS: process.env.SECRET_KEYS,
  PORT: '0',
})

describe('a start that can’t succeed exits with 1 and says why', () => {
  test('every missing variable at once', async () => {
    for (const command of ['server', 'migrate']) {
      const { code, printed } = await start(command, {})
      expect(code).toBe(1)
      for (const name of ['PUBLIC_URL', 'DATABASE_URL', 'REDIS_URL', 'SECRET_KEYS'])
        expect(printed).toContain(`${name}: `)
      expect(printed).not.toContain('    at ')
    }
  })

  test('a weak key, without showing it', async () => {
    const { code, printed } = await start('server', { ...whole(), SECRET_KEYS: `${key},too-short` })
    expect({ code, printed }).toMatchObject({
      code: 1,
      printed: expect.stringContaining('SECRET_KEYS: each key must be'),
    })
    expect(printed).not.toContain(key)
    expect(printed).not.toContain('too-short')
  })

  test.each([
    ['short', 'aB3cD6eF0gH2jK4lM7nP9qS'],
    ['one character', 'a'.repeat(60)],
    ['a word repeated', 'password'.repeat(8)],
    ['none', ''],
  ])('a weak key: %s', (_, keys) =>
    expect(() => parseEnv({ ...whole(), SECRET_KEYS: keys })).toThrow('SECRET_KEYS: each key must be'),
  )

  test('proxies that are no addresses, each of them named', () => {
    expect(() => parseEnv({ ...whole(), REVERSE_PROXY: '10.0.0.1, proxy.internal, 10.0.0.0/33' })).toThrow(
      /REVERSE_PROXY: must be addresses .*; not proxy\.internal, 10\.0\.0\.0\/33/,
    )
    const { REVERSE_PROXY } = parseEnv({ ...whole(), REVERSE_PROXY: ' 10.1.2.3/16,::ffff:192.0.2.1 , 2001:DB8::/32,' })
    expect(REVERSE_PROXY).toEqual(['10.1.0.0/16', '192.0.2.1', '2001:db8::/32'])
    expect(parseEnv({ ...whole(), REVERSE_PROXY: '' }).REVERSE_PROXY).toEqual([])
  })

  test('a request has a minute to arrive', () => expect(parseEnv(whole()).REQUEST_TIMEOUT).toBe(60))

  test('embedded services in production', async () => {
    const makeshifts = { PLATFORM_MODE: undefined, REDIS_URL: 'mock:', REQUEST_TIMEOUT: '12' }
    const { code, printed } = await start('server', { ...whole(), ...makeshifts })
    expect(code).toBe(1)
    for (const name of ['PUBLIC_URL', 'REDIS_URL', 'SMTP_URL', 'MAIL_FROM', 'REQUEST_TIMEOUT'])
      expect(printed).toContain(`${name}: `)
  })

  test('a dead database, a dead Redis and an unreadable file, all named', async () => {
    const dead = {
      ...whole(),
      DATABASE_URL: 'postgres://app:hidden@127.0.0.1:1/platform',
      REDIS_URL: 'redis://:hidden@127.0.0.1:1',
      LOG_LEVEL: 'silent',
      COUNTRY_DATABASE: '/nowhere/countries.mmdb',
    }
    for (const { code, printed } of await Promise.all([start('server', dead), start('worker', dead)])) {
      expect(code).toBe(1)
      expect(printed.split('\n')).toEqual([
        expect.stringMatching(
          /^PostgreSQL does not answer at 127\.0\.0\.1:1\/platform \(DATABASE_URL\): .*ECONNREFUSED/,
        ),
        expect.stringMatching(/^Redis does not answer at 127\.0\.0\.1:1 \(REDIS_URL\): .*ECONNREFUSED/),
        "COUNTRY_DATABASE: /nowhere/countries.mmdb can't be read (ENOENT)",
      ])
      expect(printed).not.toContain('hidden')
    }
  })

  test('a command without its arguments', async () => {
    const create = await start('platform', {}, 'admin', 'create')
    expect(create).toEqual({ code: 2, printed: expect.stringMatching(/Missing required arguments: login, email/) })
    const open = await start('platform', {}, 'access', 'open')
    expect(open).toEqual({
      code: 2,
      printed: expect.stringMatching(/^Name an --address, or --all\n\nplatform access open/),
    })
  })

  test('a database that is not migrated', async () => {
    const name = `test_${randomBytes(6).toString('hex')}`
    const address = (url: string, database: string) => Object.assign(new URL(url), { pathname: `/${database}` }).href
    const owner = new pg.Client(address(inject('ownerUrl'), 'postgres'))
    await owner.connect()
    try {
      await owner.query(`create database ${name}`)
      const { code, printed } = await start('server', { ...whole(), DATABASE_URL: address(inject('appUrl'), name) })
      expect({ code, printed }).toEqual({
        code: 1,
        printed: expect.stringMatching(/^PostgreSQL at .* is not migrated: run npm run migrate first$/),
      })
      await owner.query(`drop database ${name}`)
    } finally {
      await owner.end()
    }
  })

  test('an incomplete set of variables of the first administrator', async () => {
    const { code, printed } = await start('server', { ...whole(), ADMIN_LOGIN: 'root-admin' })
    expect({ code, printed }).toEqual({
      code: 1,
      printed: 'ADMIN_LOGIN, ADMIN_EMAIL and ADMIN_PASSWORD go together',
    })
  })
})
