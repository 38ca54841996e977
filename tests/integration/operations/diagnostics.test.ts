import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { db } from '@/db/client'
import { foundVersions } from '@/db/schema'
import { dropCached } from '@/lib/base/cache/cache'
import { headerWarningsOf } from '@/lib/base/frame/header-warnings'
import { env } from '@/lib/base/runtime/env'
import {
  getDiagnosticsStatus,
  getUpdateStatus,
  listVersions,
  refreshVersions,
} from '@/lib/operations/diagnostics/contract'
import { refreshOldVersions } from '@/lib/operations/diagnostics/service'
import { signedInWith } from '../../factories/access'
import { newApplication } from '../../factories/applications'
import { Caller } from '../../factories/caller'
import { handlerOf } from '../../factories/routes'
import { useTestDatabase } from '../../setup/database'

const refresh = handlerOf(refreshVersions)

useTestDatabase()

/** An application that tells its version, until it is told to say something else. */
const well = { status: 200, body: '{"version":"1.2.0"}' }
let answer = well
let asked = 0
const server = createServer((_, res) => {
  asked++
  res.writeHead(answer.status, { 'content-type': 'application/json' }).end(answer.body)
})
let caller: Caller
let id: string
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const techUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/info`
  id = (await newApplication({ name: 'Магазин', code: 'shop', techUrl })).id
})
afterAll(() => void server.close())

const shop = async () => {
  const { versions } = await caller.call(refreshVersions, { query: { filter: { application: 'магаз' } } })
  return versions[0]
}
// each test begins when the version was just found, by a person who hasn't asked for it before
beforeEach(async () => {
  const methods = ['diagnostics.read', 'diagnosticsNotifyAccess', 'diagnosticsApplicationsNotifyAccess']
  caller = new Caller((await signedInWith(methods)).browser)
  answer = well
  await shop()
})

test('the versions of applications and of the platform’s parts are found, and compared with the recommended ones', async () => {
  env().RECOMMENDED_VERSIONS = { shop: '1.10.0', platform: '99.0' }
  expect(await shop()).toMatchObject({
    id,
    version: '1.2.0',
    recommendVersion: '1.10.0',
    status: 'outdated',
    error: null,
  })
  const { versions } = await caller.call(listVersions, { query: { filter: { status: 'outdated' } } })
  expect(versions.map((row) => row.id)).toEqual(expect.arrayContaining([id, 'platform']))
  const all = await caller.call(listVersions, { query: { sortBy: 'application', sort: 'asc' } })
  expect(all.versions.find((row) => row.id === 'postgresql')).toMatchObject({
    version: expect.stringMatching(/^\d+\.\d+/),
  })
  expect(all.versions.find((row) => row.id === 'node')).toMatchObject({ version: process.versions.node })
  dropCached('diagnostics')
  expect(await caller.call(getUpdateStatus)).toMatchObject({ status: 'error', recommendVersion: '99.0' })
  expect((await caller.call(getDiagnosticsStatus)).errorCount).toBeGreaterThanOrEqual(2)
  const warnings = await headerWarningsOf({ methods: new Set(['diagnosticsApplicationsNotifyAccess']) })
  expect(warnings).toEqual([{ name: 'update', count: 1, version: expect.any(String), recommended: '99.0' }])
  expect(await headerWarningsOf({ methods: new Set(['diagnostics.read']) })).toEqual([])
  env().RECOMMENDED_VERSIONS = {}
})

test('a look that finds none keeps the version from before, and says why', async () => {
  answer = { status: 503, body: 'down' }
  expect(await shop()).toMatchObject({ version: '1.2.0', error: 'HTTP 503', status: 'unknown' })
  answer = { status: 200, body: '{"version":"<b>"}' }
  expect(await shop()).toMatchObject({ version: '1.2.0', error: 'noVersion' })
  answer = { status: 200, body: '{"build":{"version":"1.3.0"}}' }
  expect(await shop()).toMatchObject({ version: '1.3.0', error: null, status: 'uncompared' })
})

test('in production a private address is not asked', async () => {
  const { PLATFORM_MODE } = env()
  env().PLATFORM_MODE = 'production'
  try {
    const before = asked
    expect(await shop()).toMatchObject({ version: '1.2.0', error: 'addressBlocked' })
    expect(asked).toBe(before)
  } finally {
    env().PLATFORM_MODE = PLATFORM_MODE
  }
})

test('the worker looks again after an hour, and not before', async () => {
  const before = asked
  await refreshOldVersions(new Date())
  expect(asked).toBe(before)
  await refreshOldVersions(new Date(Date.now() + 3_700_000))
  expect(asked).toBe(before + 1)
  // an application that was deleted while it was asked leaves nothing
  expect(await db().$count(foundVersions, eq(foundVersions.key, id))).toBe(1)
})

test('nobody has all versions looked for again and again', async () => {
  const other = new Caller((await signedInWith(['diagnostics.read'])).browser)
  const sent = await Promise.all(Array.from({ length: 12 }, () => other.send(refreshVersions, { query: {} }, refresh)))
  expect(sent.filter(({ status, body }) => status === 429 && body.code === 'tooManyAttempts')).toHaveLength(2)
})

test('an application may have the code of a property that every object has', async () => {
  for (const code of ['constructor', 'valueof']) await newApplication({ name: `Свойство ${code}`, code, techUrl: null })
  const { versions } = await caller.call(listVersions, { query: { filter: { application: 'свойство' } } })
  expect(versions.map(({ recommendVersion }) => recommendVersion)).toEqual([null, null])
})
