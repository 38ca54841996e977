import { randomUUID } from 'node:crypto'
import { eq, getTableColumns, getTableName, is } from 'drizzle-orm'
import { PgTable } from 'drizzle-orm/pg-core'
import sharp from 'sharp'
import { beforeAll, describe, expect, test } from 'vitest'
import { db } from '@/db/client'
import * as schema from '@/db/schema'
import { documents, users } from '@/db/schema'
import type { Ctx } from '@/lib/base/context/ctx'
import { AppError } from '@/lib/base/runtime/errors'
import { setAgreement } from '@/lib/my-account/agreements/service'
import { deleteAvatar, getAvatar, patchAvatar } from '@/lib/my-account/avatar/service'
import { requestContactCode, verifyContact } from '@/lib/my-account/contact-details/service'
import { deleteProfile, requestDeletionCode } from '@/lib/my-account/deletion/service'
import { reportDevice } from '@/lib/my-account/device/service'
import { changePassword, requestPasswordCode } from '@/lib/my-account/password/service'
import { recentChanges } from '@/lib/my-account/personal/recent'
import { configureProfile, getProfile, readProfileDetails, updateProfile } from '@/lib/my-account/personal/service'
import { getUserSettings, patchUserSettings } from '@/lib/my-account/settings/service'
import { lastNotices, listNotices, readNotices } from '@/lib/news/notifications/service'
import { getProfileHistory } from '@/lib/operations/own-history/service'
import { endSessions } from '@/lib/sign-in/own-sessions/service'
import { compose } from '@/lib/wiring/compose'
import { contextOf } from '../../factories/invitations'
import { codeFor, freshEmail, nextPassword, ownAccount, remove } from '../../factories/own-account'
import { first } from '../../factories/platform'
import { password } from '../../factories/users'
import { useTestDatabase } from '../../setup/database'

useTestDatabase()
beforeAll(() => compose())

const page = { meta: {}, filter: {}, sortBy: 'date', sort: 'desc' } as never

/** All verbs of the own account, by name, each with a valid input. */
async function verbs(value: string, code: string, login: string) {
  const image = sharp({ create: { width: 30, height: 30, channels: 3, background: '#345' } })
  const bytes = await image.png().toBuffer()
  const file = { bytes: async () => bytes } as never
  const { id, version } = first(
    await db().insert(documents).values({ code: randomUUID(), type: 'agreement' }).returning(),
  )
  const base = first(await db().select().from(schema.domains).where(eq(schema.domains.base, true)))
  await db().insert(schema.domainAgreements).values({ domainId: base.id, documentId: id, profileVisible: true })
  const pair = { password: nextPassword, rePassword: nextPassword }
  return {
    getProfile,
    configureProfile,
    readProfileDetails,
    recentChanges,
    getUserSettings,
    getAvatar,
    lastNotices,
    listNotices: (ctx: Ctx) => listNotices(ctx, { query: page }),
    getProfileHistory: (ctx: Ctx) => getProfileHistory(ctx, { query: page }),
    updateProfile: (ctx: Ctx) => updateProfile(ctx, { body: { mainInfo: { firstName: 'Призрак', locale: 'en' } } }),
    saveContacts: (ctx: Ctx) =>
      updateProfile(ctx, {
        body: { contacts: { emails: [{ value, main: true, messengers: [], agreement: 'received' }] } },
      }),
    navMini: (ctx: Ctx) => patchUserSettings(ctx, { body: { settings: { navMini: true } } }),
    columns: (ctx: Ctx) => patchUserSettings(ctx, { body: { settings: { columns: {} } } }),
    agree: (ctx: Ctx) => setAgreement(ctx, { params: { id }, body: { agree: true, version } }),
    refuse: (ctx: Ctx) => setAgreement(ctx, { params: { id }, body: { agree: false, version } }),
    reportDevice: (ctx: Ctx) =>
      reportDevice(ctx, { body: { displaySize: '1x1', displayWindowSize: '1x1', displayZoom: 1 } }),
    readNotices: (ctx: Ctx) => readNotices(ctx, { body: {} }),
    verifyContact: (ctx: Ctx) =>
      verifyContact(ctx, { body: { kind: 'email', value, code, main: true, password: undefined } }),
    requestContactCode: (ctx: Ctx) => requestContactCode(ctx, { body: { kind: 'email', value: freshEmail() } }),
    patchAvatar: (ctx: Ctx) => patchAvatar(ctx, { body: { file } }),
    deleteAvatar,
    changePassword: (ctx: Ctx) => changePassword(ctx, { body: { actual: password, code: undefined, ...pair } }),
    requestPasswordCode,
    requestDeletionCode,
    deleteProfile: (ctx: Ctx) => deleteProfile(ctx, { body: { login, password, code: undefined } }),
    endSessions: (ctx: Ctx) => endSessions(ctx, { query: { current: 'true' } }),
  }
}

/** A request that passed every check just before its account went, and the verbs that it may run. */
async function inFlight() {
  const { user, caller } = await ownAccount()
  const value = freshEmail()
  const code = await codeFor(caller, 'email', value)
  return { user, caller, ctx: await contextOf(caller.browser), verbs: await verbs(value, code, user.login) }
}

/** Runs a verb; returns its failure if that isn't one that people may get. */
async function faultOf(name: string, verb: (ctx: Ctx) => Promise<unknown>, ctx: Ctx) {
  try {
    await verb(ctx)
    return null
  } catch (error) {
    return error instanceof AppError && error.status < 500 ? null : `${name}: ${error}`
  }
}

describe('a request that was under way when its account', () => {
  test('was deleted fails with a plain answer, and brings nothing back', async () => {
    const { user, caller, ctx, verbs } = await inFlight()
    expect((await remove(caller, { login: user.login, password })).status).toBe(200)
    const faults = []
    for (const [name, verb] of Object.entries(verbs)) faults.push(await faultOf(name, verb, ctx))
    expect(faults.filter(Boolean)).toEqual([])
    const tables = (Object.values(schema) as unknown[]).filter((one): one is PgTable => is(one, PgTable))
    for (const table of tables) {
      const columns = Object.values(getTableColumns(table)).filter(({ name }) => /^(user|account)_id$/.test(name))
      for (const column of columns)
        expect([getTableName(table), await db().$count(table, eq(column, user.id))]).toEqual([getTableName(table), 0])
    }
  })

  test('was disabled changes nothing of it', async () => {
    const { user, ctx, verbs } = await inFlight()
    await db().update(users).set({ enabled: false }).where(eq(users.id, user.id))
    const state = async () => first(await db().select().from(users).where(eq(users.id, user.id)))
    const before = await state()
    const faults = []
    for (const [name, verb] of Object.entries(verbs)) {
      faults.push(await faultOf(name, verb, ctx))
      expect([name, await state()]).toEqual([name, before])
    }
    expect(faults.filter(Boolean)).toEqual([])
    expect(await db().$count(schema.userPictures, eq(schema.userPictures.userId, user.id))).toBe(0)
    expect(await db().$count(schema.userContacts, eq(schema.userContacts.userId, user.id))).toBe(0)
  })
})
