import { randomUUID } from 'node:crypto'
import { eq, sql } from 'drizzle-orm'
import { beforeAll, expect, test } from 'vitest'
import { db } from '@/db/client'
import { authenticatorApps, dynamicFields, runRows, userRoles, users } from '@/db/schema'
import * as calls from '@/lib/account-administration/user-import/contract'
import { readUserImportFaults } from '@/lib/account-administration/user-import/service'
import type { BatchKinds } from '@/lib/base/batch-jobs/process-rows'
import { hashPassword } from '@/lib/base/crypto/password'
import { newKey } from '@/lib/sign-in/factors/totp/totp'
import { batchKinds } from '@/lib/wiring/runs'
import { signedInWith } from '../../factories/access'
import { giveApp } from '../../factories/authenticator'
import { Browser } from '../../factories/browser'
import { Caller } from '../../factories/caller'
import { plantRole } from '../../factories/roles'
import { prove, signInByPassword } from '../../factories/sign-in'
import { codeOf } from '../../factories/totp'
import { importOf, workOnImport } from '../../factories/user-import'
import { createUser, password } from '../../factories/users'
import { tie } from '../../factories/ways-in'
import { useTestDatabase } from '../../setup/database'

useTestDatabase()

beforeAll(() => db().update(dynamicFields).set({ adminRequired: false }))

const login = () => `import-${randomUUID().slice(0, 13)}`

/** The batch jobs of imports, but each row is written alone. */
const rowByRow: BatchKinds = {
  users: async (run, ending) => {
    const kind = await batchKinds.users?.(run, ending)
    if (typeof kind !== 'object') throw new Error('the batch job has no rows')
    const { processBatch: _, ...rest } = kind
    return rest
  },
}

test.each([
  ['together', batchKinds],
  ['alone', rowByRow],
])(
  'takes keys of authenticator apps over, with which people sign in, of rows that are written %s',
  async (_, kinds) => {
    const caller = new Caller((await signedInWith(['users.write'])).browser)
    const role = await plantRole([])
    await tie(role.id, 'credentials', 0, ['totp'])
    const [key, newcomer, existing] = [newKey(), login(), await createUser({ roles: [], login: login() })]
    await giveApp(existing.id)
    const appOf = () => db().select().from(authenticatorApps).where(eq(authenticatorApps.userId, existing.id))
    const before = await appOf()
    const hash = await hashPassword(password)
    const rows = [
      [newcomer, hash, `otpauth://totp/Old:${newcomer}?secret=${key}&issuer=Old`],
      [existing.login, hash, newKey()],
      [login(), hash, 'no key'],
    ]
    const targets = ['field.login', 'password', 'authenticatorKey']
    const body = importOf(targets, rows)
    const preview = await caller.call(calls.checkUserImport, { body })
    expect(preview).toMatchObject({ create: 1, apps: 1, appsLeft: 1, faults: [{ row: 4, code: 'userImportAppKey' }] })
    expect(JSON.stringify(preview)).not.toContain(key)
    const { id } = await caller.call(calls.startUserImport, { body })
    await workOnImport(id, kinds)
    let file = ''
    const { chunks } = await caller.serve((ctx) => readUserImportFaults(ctx, { params: { id } }))
    for await (const chunk of chunks) file += chunk
    expect(file).not.toContain('no key')
    expect(await db().$count(runRows, sql`${runRows.input}::text like ${`%${key}%`}`)).toBe(0)
    const [user] = await db().select().from(users).where(eq(users.login, newcomer))
    await db()
      .insert(userRoles)
      .values({ userId: user?.id ?? '', roleId: role.id })
    const browser = new Browser()
    expect((await signInByPassword(browser, newcomer, password)).body).toMatchObject({ flows: ['totp'] })
    expect(await prove(browser, newcomer, { flow: 'totp', code: codeOf(key) })).toMatchObject({
      body: { next: 'done' },
    })
    expect(await appOf()).toEqual(before)
  },
)
