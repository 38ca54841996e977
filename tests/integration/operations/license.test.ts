import { eq } from 'drizzle-orm'
import { beforeEach, describe, expect, test } from 'vitest'
import { db } from '@/db/client'
import { history, licenses, monitoringChecks, monitoringTurns, sessions } from '@/db/schema'
import { dropCached } from '@/lib/base/cache/cache'
import { countLicenseSessions, readLicenseInfo, saveLicense } from '@/lib/operations/license/contract'
import { licenseChecks, licenseProblem } from '@/lib/operations/license/service'
import { signedInWith } from '../../factories/access'
import { thirty } from '../../factories/at-once'
import { Caller } from '../../factories/caller'
import { license, usePublicKey, withoutPublicKey } from '../../factories/license'
import { createDomainWith, first } from '../../factories/platform'
import { handlerOf } from '../../factories/routes'
import { setSetting } from '../../factories/settings'
import { useTestDatabase } from '../../setup/database'

const sessionCount = handlerOf(countLicenseSessions)

useTestDatabase()

const domain = 'localhost'
const writer = async () => new Caller((await signedInWith(['license.read', 'license.write'])).browser)
const look = async () => first(await licenseChecks()).look(new AbortController().signal)
const notice = () => {
  dropCached('license')
  return licenseProblem()
}

beforeEach(async () => {
  usePublicKey()
  await db().delete(licenses)
  await db().delete(monitoringChecks)
  await db().delete(monitoringTurns)
})

describe('the license', () => {
  test('is stored sealed, shown by its end alone, and recorded without its key', async () => {
    const caller = await writer()
    const key = license({ domain })
    await caller.call(saveLicense, { body: { key, domain } })
    expect(JSON.stringify(await db().select().from(licenses))).not.toContain(key.slice(0, 40))
    const { form } = await caller.call(readLicenseInfo)
    expect(form).toEqual({ key: `••••••••${key.slice(-4)}`, domain })
    const rows = JSON.stringify(await db().select().from(history).where(eq(history.entity, 'license')))
    expect(rows).toContain('***')
    expect(rows).not.toContain(key.slice(0, 40))
  })

  test('is compared with the platform’s own domains, not with what is typed beside it', async () => {
    const caller = await writer()
    await createDomainWith({ hosts: ['partners.example', 'second.example'] })
    const put = (host: string, typed = host) =>
      caller.send(saveLicense, { body: { key: license({ domain: host }), domain: typed } })
    const refused = { status: 400, body: { data: { errorList: [{ field: 'domain', code: 'errorLicenseDomain' }] } } }
    for (const host of ['other.example', 'sub.partners.example', 'example'])
      expect(await put(host)).toMatchObject(refused)
    expect(await put('other.example', 'localhost')).toMatchObject(refused)
    for (const host of ['localhost', 'partners.example', 'second.example']) expect((await put(host)).status).toBe(200)
  })

  test('of thirty that are put in at once one stays, and the history says which', async () => {
    const caller = await writer()
    const saved = await thirty((n) =>
      caller.send(saveLicense, { body: { key: license({ domain, owner: `Владелец ${n}` }), domain } }),
    )
    expect(saved.map(({ status }) => status)).toEqual(Array.from({ length: 30 }, () => 200))
    const [row, ...others] = await db().select().from(licenses)
    expect(others).toEqual([])
    const owners = await db().select().from(history).where(eq(history.field, 'owner')).orderBy(history.id)
    expect(owners.at(-1)?.current).toBe(row?.owner)
  })

  test('is checked again after `licenseCheckPeriod`, and not before', async () => {
    const caller = await writer()
    await caller.call(saveLicense, { body: { key: license({ domain }), domain } })
    await setSetting('licenseCheckPeriod', { value: 2, unit: 'hours' })
    const hours = (count: number) => ({ checkedAt: new Date(Date.now() - count * 3_600_000) })
    await db().update(licenses).set(hours(1))
    await withoutPublicKey(look)
    expect(await notice()).toBeNull()
    await db().update(licenses).set(hours(3))
    await expect(withoutPublicKey(look)).rejects.toThrow('licenseInvalid')
    expect(await notice()).toBe('invalid')
    await db().update(licenses).set(hours(3))
    await look()
    expect(await notice()).toBeNull()
  })

  test('that has expired, or is for fewer sessions, is told and locks nobody out', async () => {
    const caller = await writer()
    await caller.call(saveLicense, { body: { key: license({ domain, sessions: 1 }), domain } })
    await writer()
    await expect(look()).rejects.toThrow('licenseSessions')
    expect(await notice()).toBe('sessions')
    await db()
      .update(licenses)
      .set({ expiresAt: new Date(Date.now() - 1_000) })
    await expect(look()).rejects.toThrow('licenseExpired')
    expect(await notice()).toBe('expired')
    expect((await caller.call(readLicenseInfo)).info?.state).toBe('expired')
    // people still get in
    await signedInWith([])
  })

  test('is not needed', async () => {
    await look()
    expect(await notice()).toBeNull()
  })

  test('counts sessions that were used within 15 minutes', async () => {
    const caller = await writer()
    const now = async () => (await caller.send(countLicenseSessions, {}, sessionCount)).body
    const { count } = (await now()) as { count: number }
    const { user } = await signedInWith([])
    expect(await now()).toEqual({ count: count + 1 })
    await db()
      .update(sessions)
      .set({ lastAccessAt: new Date(Date.now() - 16 * 60_000) })
      .where(eq(sessions.userId, user.id))
    expect(await now()).toEqual({ count })
  })
})
