import { setTimeout as wait } from 'node:timers/promises'
import { expect } from 'vitest'
import type { SyncRun } from '@/lib/directory-sync/provider-sync/contract'
import type { ProviderSync } from '@/lib/directory-sync/providers/contract'
import type { Instance } from './instance'

type Connection = { type: 'keycloak' | 'wapps'; url: string; realm: string; clientId: string; clientSecret: string }

const providers = '/setting/providers'

/** Makes a call that must succeed. */
export async function well<T>(instance: Instance, method: string, path: string, body?: unknown): Promise<T> {
  const answer = await instance.as<T>(method, path, body)
  expect(answer.status, `${method} ${path}: ${JSON.stringify(answer.body)}`).toBe(200)
  return answer.body
}

/** Adds an enabled provider with base mappers, which every domain offers. Returns its ids. */
export async function connectDirectory(instance: Instance, name: string, connection: Connection) {
  const { domains } = await well<{ domains: { id: string }[] }>(instance, 'GET', '/setting/domains')
  const body = { name, ...connection, domains: domains.map(({ id }) => id) }
  const { id } = await well<{ id: string }>(instance, 'POST', providers, body)
  await well(instance, 'PUT', `${providers}/${id}/enabled`, { enabled: true })
  const { provider } = await well<{ provider: { sync: ProviderSync[] } }>(instance, 'GET', `${providers}/${id}`)
  const syncId = provider.sync[0]?.id ?? ''
  await well(instance, 'POST', `${providers}/sync/${syncId}/base`)
  return { id, syncId }
}
export type Directory = Awaited<ReturnType<typeof connectDirectory>>

export const addMapper = (instance: Instance, { syncId }: Directory, mapper: object) =>
  well(instance, 'POST', `${providers}/sync/${syncId}/mappers`, mapper)

/** Switches the synchronization on. Returns the id of its first run. */
export async function enableSync(instance: Instance, { id, syncId }: Directory, syncLimit: number): Promise<string> {
  const body = { enabled: true, periodUnit: 0, periodAmount: 'hours', syncLimit }
  await well(instance, 'PUT', `${providers}/${id}/sync/${syncId}`, body)
  const { provider } = await well<{ provider: { sync: ProviderSync[] } }>(instance, 'GET', `${providers}/${id}`)
  return provider.sync[0]?.details.runId ?? ''
}

export const startSync = async (instance: Instance, { id }: Directory): Promise<string> =>
  (await well<{ id: string }>(instance, 'POST', `${providers}/${id}/sync/start`, {})).id

type Told = { run: SyncRun; faults: { title: string; code: string }[] }
export const readRun = (instance: Instance, runId: string) => well<Told>(instance, 'GET', `${providers}/runs/${runId}`)

/** Waits until a run has come so far. Returns what it says then, and when it began to write. */
export async function until(instance: Instance, runId: string, far: (run: SyncRun) => boolean) {
  let writing: number | null = null
  for (const limit = Date.now() + 280_000; Date.now() < limit; await wait(500)) {
    const progress = await readRun(instance, runId)
    if (progress.run.phase !== 'read') writing ??= Date.now()
    if (far(progress.run)) return { ...progress, writing: writing ?? Date.now() }
  }
  throw new Error('the run takes too long')
}
export const isOver = ({ state }: SyncRun) => state !== 'running'
