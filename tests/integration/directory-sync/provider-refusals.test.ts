import { desc, eq } from 'drizzle-orm'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { db } from '@/db/client'
import { signInLog } from '@/db/schema'
import { redis } from '@/lib/base/redis/redis'
import { oneLine } from '@/lib/base/text/characters'
import { linkOwnProvider } from '@/lib/directory-sync/provider-sign-in/contract'
import { listSignIns } from '@/lib/sign-in/sign-in-log/contract'
import { signedInWith } from '../../factories/access'
import { thirty } from '../../factories/at-once'
import { Browser } from '../../factories/browser'
import { Caller, callerFor } from '../../factories/caller'
import { startOpenidProvider } from '../../factories/openid-imitation'
import { beginAt, comeBack, connectProvider, refusedFor, signInAt, somebody } from '../../factories/openid-provider'
import { caseNumbers, eachRound } from '../../factories/random-cases'
import { useTestDatabase } from '../../setup/database'

useTestDatabase()

let reader: Caller
let openid: Awaited<ReturnType<typeof startOpenidProvider>>
let id = ''
beforeAll(async () => {
  reader = await callerFor(listSignIns)
  openid = await startOpenidProvider()
  id = await connectProvider(new Caller((await signedInWith(['providers.write'])).browser), openid)
})
beforeEach(async () => {
  await redis().flushdb()
  openid.idToken = (claims) => claims
  openid.broken = () => undefined
})

const logged = async (ip: string) =>
  (await reader.call(listSignIns, { query: { filter: { ip } } })).signIns.map(({ cause, reason }) => ({
    cause,
    reason,
  }))

/** Comes back with an answer that the provider gives in place of a code. Returns what the log says of it. */
async function answered(answer: Record<string, string>, browser = new Browser()) {
  const asking = await beginAt(browser, id)
  await comeBack(browser, id, openid.back(asking, answer))
  return logged(browser.ip)
}

describe('the sign-in log says', () => {
  test('what a provider refused, with its error and description', async () => {
    expect(
      await answered({ error: 'access_denied', error_description: 'AADSTS50105: not assigned to a role' }),
    ).toEqual([{ cause: 'providerCanceled', reason: 'access_denied: AADSTS50105: not assigned to a role' }])
    expect(await answered({ error: 'invalid_scope', error_description: 'Область «groups» неизвестна' })).toEqual([
      { cause: 'providerRefused', reason: 'invalid_scope: Область «groups» неизвестна' },
    ])
    expect(await answered({ error: 'temporarily_unavailable' })).toEqual([
      { cause: 'providerDown', reason: 'temporarily_unavailable' },
    ])
  })

  test('what it answered to our server, what was wrong with its answer, and that it can’t be reached', async () => {
    const refused = new Browser()
    openid.refuses = { error: 'invalid_client', error_description: 'The client secret has expired.' }
    expect(refusedFor(await signInAt(refused, id, openid, somebody()))).toBe('down')
    openid.refuses = undefined
    expect(await logged(refused.ip)).toEqual([
      { cause: 'providerDown', reason: 'invalid_client: The client secret has expired.' },
    ])
    const lied = new Browser()
    openid.idToken = (claims) => ({ ...claims, aud: 'somebody-else' })
    expect(refusedFor(await signInAt(lied, id, openid, somebody()))).toBe('answer')
    expect(await logged(lied.ip)).toEqual([{ cause: 'providerAnswer', reason: expect.stringContaining('aud') }])
    openid.idToken = (claims) => claims
    const away = new Browser()
    openid.broken = (path) => (path === '/token' ? 'hang up' : undefined)
    expect(refusedFor(await signInAt(away, id, openid, somebody()))).toBe('down')
    expect(await logged(away.ip)).toEqual([{ cause: 'providerDown', reason: expect.stringMatching(/\w/) }])
  })

  test('which field of a person was missing or taken', async () => {
    const browser = new Browser()
    const { email: _, ...claims } = somebody()
    expect(refusedFor(await signInAt(browser, id, openid, claims as never))).toBe('data')
    expect(await logged(browser.ip)).toEqual([{ cause: 'providerData', reason: expect.stringContaining('email') }])
  })

  test('what a provider refused while somebody links an account of it', async () => {
    const { browser, user } = await signedInWith()
    const { leads } = await new Caller(browser).call(linkOwnProvider, { params: { id } })
    const landing = await comeBack(
      browser,
      id,
      openid.back(leads, { error: 'access_denied', error_description: 'No.' }),
    )
    expect(landing).toContain('provider=canceled')
    const [row] = await db().select().from(signInLog).where(eq(signInLog.userId, user.id)).orderBy(desc(signInLog.at))
    expect(row).toMatchObject({ cause: 'providerCanceled', reason: 'access_denied: No.', providerId: id })
  })
})

test('each provider and each reason is logged once a minute, five reasons for an address', async () => {
  const other = await connectProvider(new Caller((await signedInWith(['providers.write'])).browser), openid)
  const browser = new Browser()
  const refused = async (error: string, at = id) => {
    await comeBack(browser, at, openid.back(await beginAt(browser, at), { error }))
    return (await logged(browser.ip)).map(({ reason }) => reason)
  }
  expect(await refused('invalid_scope')).toEqual(['invalid_scope'])
  expect(await refused('invalid_scope')).toEqual(['invalid_scope'])
  expect(await refused('invalid_scope', other)).toEqual(['invalid_scope', 'invalid_scope'])
  expect(await refused('invalid_request')).toEqual(['invalid_request', 'invalid_scope', 'invalid_scope'])
  for (const error of ['one', 'two', 'three', 'four']) await refused(error)
  expect(await refused('invalid_scope')).toEqual([
    ...['two', 'one', 'invalid_request'],
    ...['invalid_scope', 'invalid_scope'],
  ])
})

describe('the sign-in log says in words', () => {
  const words = async (ip: string) =>
    (await reader.call(listSignIns, { query: { filter: { ip } } })).signIns.map(({ reasonText }) =>
      reasonText?.replaceAll('\u00a0', ' '),
    )
  const refusedWith = async (claims = somebody()) => {
    const browser = new Browser()
    refusedFor(await signInAt(browser, id, openid, claims))
    return words(browser.ip)
  }

  test.each([
    ['aud', 'somebody-else', /^Токен выдан другому клиенту/],
    ['nonce', 'another', /^Ответ относится к другому входу/],
    ['iss', 'https://other.example', /^Провайдер называет себя иначе/],
  ])('which claim of the token is wrong: %s', async (claim, value, text) => {
    openid.idToken = (claims) => ({ ...claims, [claim]: value })
    expect(await refusedWith()).toEqual([expect.stringMatching(text)])
  })

  test('that the provider failed', async () => {
    openid.broken = (path) => (path === '/userinfo' ? 503 : undefined)
    expect(await refusedWith()).toEqual([expect.stringMatching(/^У провайдера сбой/)])
  })

  test('that the provider hasn’t proven the e-mail', async () => {
    expect(await refusedWith(somebody({ email_verified: false }))).toEqual([
      expect.stringMatching(/^Электронная почта: провайдер не подтвердил/),
    ])
  })

  test('that somebody else has the e-mail or the login', async () => {
    const first = somebody()
    await signInAt(new Browser(), id, openid, first)
    expect(await refusedWith(somebody({ email: first.email }))).toEqual([
      'Электронная почта: уже есть у другой учётной записи',
    ])
    expect(await refusedWith(somebody({ preferred_username: first.preferred_username }))).toEqual([
      'Логин: уже есть у другой учётной записи',
    ])
  })
})

describe('what a hostile provider or browser says', () => {
  test('becomes one short line, without signs that nobody sees', async () => {
    const long = 'Ж<b onload=alert(1)>\u0000\u202e\r\nSet-Cookie: a=b \u200b\u2028'.repeat(300)
    const [row] = await answered({ error: 'invalid_request', error_description: long.slice(0, 10_000) })
    expect([...(row?.reason ?? '')].length).toBeLessThanOrEqual(320)
    expect(row?.reason).toMatch(oneLine)
    expect(row?.reason).toMatch(/^invalid_request: Ж<b onload=alert\(1\)> Set-Cookie/)
  })

  test('names nobody, and holds no code, token or secret', async () => {
    const { searchParams } = new URL(await beginAt(new Browser(), id))
    const token = 'eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dGhpc2lzYXNpZ25hdHVyZQ'
    const details = [
      `code=${crypto.randomUUID()}`,
      `state ${searchParams.get('state')}`,
      `secret ${openid.secret}`,
      `ivan.petrov@corp.example +79161234567 ${token} https://idp.example/?x=1`,
    ].join(' ')
    const [row] = await answered({ error: 'server_error', error_description: details })
    const stored = JSON.stringify(row)
    for (const secret of [
      openid.secret,
      token,
      'ivan.petrov',
      '79161234567',
      'idp.example',
      searchParams.get('state') ?? '!',
    ])
      expect(stored).not.toContain(secret)
  })

  test('in any form is stored as one line, and never fails the sign-in page', async () => {
    const random = caseNumbers(41)
    const signs = [
      '\u0000',
      '\ud800',
      '\udfff',
      '\u202e',
      '\n',
      ' ',
      '<',
      '"',
      '\\',
      'a',
      'ы',
      '😀',
      '%00',
      '\u00ad',
      '@',
      '9',
    ]
    for (const _ of eachRound(40)) {
      const text = () => Array.from({ length: random(400) }, () => signs[random(signs.length)]).join('')
      const rows = await answered({ error: random(2) ? text() : 'server_error', error_description: text() })
      expect(rows).toHaveLength(1)
      expect(rows[0]?.reason).toMatch(oneLine)
      expect([...(rows[0]?.reason ?? '')].length).toBeLessThanOrEqual(320)
    }
  })

  test('thirty times at once, or with thirty descriptions, doesn’t fill the log', async () => {
    const browser = new Browser()
    const asked: string[] = []
    for (let n = 0; n < 30; n++) asked.push(await beginAt(browser, id))
    await thirty((n) =>
      comeBack(browser, id, openid.back(asked[n] ?? '', { error: 'invalid_scope', error_description: `n ${n}` })),
    )
    // as many as there are connections may look before the fifth of them has written
    expect((await logged(browser.ip)).length).toBeLessThan(5 + 10)
  })
})
