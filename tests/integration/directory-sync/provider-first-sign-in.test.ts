import { eq } from 'drizzle-orm'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { db } from '@/db/client'
import { users } from '@/db/schema'
import { redis } from '@/lib/base/redis/redis'
import {
  addBaseMappers,
  createProviderMapper,
  listProviderMappers,
} from '@/lib/directory-sync/provider-mappers/contract'
import { accountClaims } from '@/lib/openid/claims/service'
import { listSignIns } from '@/lib/sign-in/sign-in-log/contract'
import { signedInAsAdministrator } from '../../factories/access'
import { Browser } from '../../factories/browser'
import { Caller, callerFor } from '../../factories/caller'
import { syncOf } from '../../factories/directory'
import { defineField, itemsOf } from '../../factories/fields'
import { type Claims, startOpenidProvider } from '../../factories/openid-imitation'
import {
  accountsOf as accountsAt,
  connectProvider,
  refusedFor,
  signInAt,
  somebody,
} from '../../factories/openid-provider'
import { useTestDatabase } from '../../setup/database'

useTestDatabase()

let administrator: Caller
let reader: Caller
let openid: Awaited<ReturnType<typeof startOpenidProvider>>
let id = ''
let syncId = ''
beforeAll(async () => {
  administrator = new Caller((await signedInAsAdministrator()).browser)
  reader = await callerFor(listSignIns)
  openid = await startOpenidProvider()
  id = await connectProvider(administrator, openid)
  syncId = await syncOf(administrator, id)
})
beforeEach(async () => {
  await redis().flushdb()
  openid.idToken = (claims) => claims
  openid.broken = () => undefined
  openid.userinfo = {}
  openid.userinfoType = 'json'
})

const signIn = async (claims: Claims) => {
  const browser = new Browser()
  const end = await signInAt(browser, id, openid, claims)
  const [account] = await accountsAt(id, claims.sub)
  const { signIns } = await reader.call(listSignIns, { query: { filter: { ip: browser.ip } } })
  return { end, account, log: signIns[0] }
}
const profile = '/platform/profile'

describe('a first sign-in', () => {
  test('of Google, which names no login and verifies the e-mail, makes a login of the e-mail', async () => {
    const { preferred_username: _, ...claims } = somebody({ name: 'Вера Входова', picture: 'https://x.example/p' })
    const { end, account, log } = await signIn(claims)
    expect(end).toBe(profile)
    expect(account).toMatchObject({ login: claims.email, email: claims.email, firstName: 'Вера', lastName: 'Входова' })
    expect(log).toMatchObject({ success: true, reason: null, reasonText: null })
  })

  test.each([String.raw`CORP\ivanov`, 'ivanov@corp.example', 'иванов', 'ab cd', '12345'])(
    'with the login %s makes one of the e-mail, and says so',
    async (preferred_username) => {
      const claims = somebody({ preferred_username })
      const { end, account, log } = await signIn(claims)
      expect(end).toBe(profile)
      expect(account).toMatchObject({ login: claims.email, email: claims.email })
      expect(log).toMatchObject({ success: true, reason: 'login errorLogin' })
      expect(log?.reasonText).toMatch(/^Логин: введите логин латиницей/)
    },
  )

  test('leaves out optional values that don’t fit', async () => {
    const department = await defineField({ fieldType: 'dropbox', items: itemsOf('sales', 'law') })
    const body = { type: 'users-base' as const, name: 'Отдел', before: 'department', after: department }
    await administrator.call(createProviderMapper, { params: { syncId }, body: { ...body, customAttributes: true } })
    const claims = somebody({
      ...{ birthdate: '1990', gender: 'other', department: 'Space', middle_name: 'A\u0000B' },
      ...{ phone_number: 'n/a', phone_number_verified: true },
    })
    const { end, account, log } = await signIn(claims)
    expect(end).toBe(profile)
    expect(account).toMatchObject({ birthDate: null, gender: null, mobile: null, middleName: '', values: {} })
    expect(log?.reason?.split(', ').sort()).toEqual([
      'birthDate errorBirthDate',
      `${department} errorOption`,
      'gender errorOption',
      'middleName errorFormat',
      'mobile errorMobile',
    ])
    const fitting = await signIn(
      somebody({
        ...{ birthdate: '1990-05-01', gender: 'female', department: 'law', middle_name: 'Петровна' },
        ...{ phone_number: '+79161230000', phone_number_verified: true },
      }),
    )
    expect(fitting.account).toMatchObject({
      ...{ birthDate: '1990-05-01', gender: 'woman', mobile: '+79161230000', middleName: 'Петровна' },
      values: { [department]: 'law' },
    })
    expect(fitting.log?.reason).toBeNull()
  })

  test('says in words what an account needs and the provider didn’t tell', async () => {
    const { email: _, ...claims } = somebody()
    const { end, account, log } = await signIn(claims)
    expect(refusedFor(end)).toBe('data')
    expect(account).toBeUndefined()
    expect(log).toMatchObject({ success: false, cause: 'providerData', reason: 'email syncRequired' })
    expect(log?.reasonText).toMatch(/^Электронная почта: /)
  })

  test('fills fields by paths into objects, and names from one claim', async () => {
    const [country, team] = [await defineField({ fieldType: 'input' }), await defineField({ fieldType: 'input' })]
    for (const [before, after] of [
      ['address.country', country],
      ['https://corp.example/claims/team', team],
    ])
      await administrator.call(createProviderMapper, {
        params: { syncId },
        body: {
          type: 'users-base',
          name: `${before}`,
          before: before ?? '',
          after: after ?? '',
          customAttributes: true,
        },
      })
    const {
      given_name: _,
      family_name: __,
      ...claims
    } = somebody({
      ...{ name: 'Вера Ивановна Входова', address: { country: 'RU', street: { no: 1 } } },
      ...{ 'https://corp.example/claims/team': 'blue' },
    })
    const { account } = await signIn(claims)
    expect(account?.values).toEqual({ [country]: 'RU', [team]: 'blue' })
    expect(account).toMatchObject({ firstName: 'Вера', middleName: 'Ивановна', lastName: 'Входова' })
  })

  test('takes the first word of a whole name for the given name, and leaves the guess to check', async () => {
    const unnamed = { given_name: undefined, family_name: undefined }
    const claims = somebody({ ...unnamed, name: 'Иван Петров' })
    const first = await signIn(claims)
    expect(first.account).toMatchObject({ firstName: 'Иван', lastName: 'Петров', fio: 'Петров Иван' })
    expect(first.log).toMatchObject({ success: true, reason: 'fio syncNameOrder' })
    const again = await signIn(claims)
    expect(again.account).toMatchObject({ firstName: 'Иван', lastName: 'Петров', fio: 'Петров Иван' })
    expect(again.log).toMatchObject({ success: true, reason: null })
    const hungarian = await signIn(somebody({ ...unnamed, name: 'Nagy János', locale: 'hu' }))
    expect(hungarian.account).toMatchObject({ firstName: 'János', lastName: 'Nagy' })
    expect(hungarian.log).toMatchObject({ success: true, reason: null })
    const nameless = await signIn(somebody(unnamed))
    expect(nameless.account).toMatchObject({ fio: '' })
    expect(nameless.log).toMatchObject({ success: true, reason: 'fio syncNameless' })
    expect(nameless.log?.reasonText).toMatch(/^ФИО: провайдер не\sназвал/)
  })

  test('reads a signed userinfo, and believes no unsigned or foreign one', async () => {
    for (const [type, end] of [
      ['jwt', null],
      ['unsigned', 'answer'],
      ['foreign', 'answer'],
    ] as const) {
      openid.userinfoType = type
      const { email, email_verified, ...claims } = somebody()
      openid.userinfo = { email, email_verified }
      const done = await signIn(claims)
      expect(end === null ? done.end : refusedFor(done.end), type).toBe(end ?? profile)
      expect(done.account?.email, type).toBe(end === null ? email : undefined)
    }
  })

  test('takes a signed userinfo that leaves out its issuer and audience, and none that names others', async () => {
    const now = Math.floor(Date.now() / 1000)
    for (const [of, end] of [
      [{ iss: undefined, aud: undefined }, null],
      [{ aud: [openid.clientId, 'another'] }, null],
      [{ iss: 'https://other.example' }, 'answer'],
      [{ aud: 'another' }, 'answer'],
      [{ aud: ['another'] }, 'answer'],
      [{ sub: 'another' }, 'answer'],
      [{ exp: now - 60 }, 'answer'],
      [{ nbf: now + 60 }, 'answer'],
    ] as const) {
      openid.userinfoType = 'jwt'
      const { email, email_verified, ...claims } = somebody()
      openid.userinfo = { email, email_verified, ...of }
      const done = await signIn(claims)
      expect(end === null ? done.end : refusedFor(done.end), JSON.stringify(of)).toBe(end ?? profile)
      expect(done.account?.email, JSON.stringify(of)).toBe(end === null ? email : undefined)
    }
  })

  test('goes on over one 503 of the keys, of the metadata and of userinfo', async () => {
    for (const path of ['/jwks', '/.well-known/openid-configuration', '/userinfo']) {
      const fresh = await startOpenidProvider()
      const freshId = await connectProvider(administrator, fresh)
      let failuresLeft = 1
      fresh.broken = (asked) => (asked === path && failuresLeft-- > 0 ? 503 : undefined)
      expect(await signInAt(new Browser(), freshId, fresh, somebody()), path).toBe(profile)
      expect(failuresLeft, path).toBeLessThan(1)
    }
  })

  test('keeps what the provider has proven: in tokens, and for invitations', async () => {
    const { account } = await signIn(somebody())
    expect(account?.emailVerifiedAt).not.toBeNull()
    const [claimed] = await db()
      .select()
      .from(users)
      .where(eq(users.id, account?.id ?? ''))
    expect(claimed?.mobileVerifiedAt).toBeNull()
    const claims = await accountClaims(account?.id ?? '')
    expect(await claims?.('openid email', 'any')).toMatchObject({ email: account?.email, email_verified: true })
  })
})

describe('a further sign-in', () => {
  test('brings what has changed but contacts and the login, and a claim that isn’t sent stays', async () => {
    const claims = somebody({ middle_name: 'Петровна' })
    const first = await signIn({ ...claims, birthdate: '1990-05-01' })
    const again = await signIn({
      ...claims,
      ...{ family_name: 'Котова', middle_name: '', email: `x-${claims.email}`, preferred_username: 'another' },
    })
    expect(again.end).toBe(profile)
    expect(again.account).toMatchObject({
      ...{ id: first.account?.id, lastName: 'Котова', middleName: '', birthDate: '1990-05-01' },
      ...{ email: claims.email, login: claims.preferred_username },
    })
    // a provider that tells nothing now keeps nobody out
    openid.broken = (path) => (path === '/userinfo' ? 500 : undefined)
    const out = await signIn({ ...claims, family_name: 'Орлова' })
    expect(out.end).toBe(profile)
    expect(out.account?.lastName).toBe('Котова')
  })
})

test('the base mappers of each type fill what its sources have', async () => {
  const { mappers } = await administrator.call(listProviderMappers, { params: { syncId } })
  const filled = (list: typeof mappers) => list.map(({ before, after }) => `${before} ${after}`)
  expect(filled(mappers.filter(({ customAttributes }) => !customAttributes))).toEqual([
    'preferred_username login',
    'email email',
    'phone_number mobile',
    'family_name lastName',
    'given_name firstName',
    'middle_name middleName',
    'name fio',
    'birthdate birthDate',
    'gender gender',
  ])
  expect(await administrator.call(addBaseMappers, { params: { syncId } })).toEqual({ added: 0 })
})
