import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { db } from '@/db/client'
import { runs } from '@/db/schema'
import { processRows } from '@/lib/base/batch-jobs/process-rows'
import { addBaseMappers } from '@/lib/directory-sync/provider-mappers/contract'
import * as syncs from '@/lib/directory-sync/provider-sync/contract'
import { createProvider, enableProvider, readProvider } from '@/lib/directory-sync/providers/contract'
import { batchKinds } from '@/lib/wiring/runs'
import type { Caller } from './caller'

/** The body that creates a provider for an imitation. */
export const providerFor = (url: string, clientSecret = 'directory-secret') => ({
  type: 'keycloak' as const,
  name: `Каталог ${randomUUID().slice(0, 8)}`,
  url,
  realm: 'staff',
  clientId: 'portal',
  clientSecret,
})

/** Creates an enabled provider with base mappers, whose synchronization is off. Returns its ids. */
export async function createDirectory(caller: Caller, url: string) {
  const { id } = await caller.call(createProvider, { body: providerFor(url) })
  await caller.call(enableProvider, { params: { id }, body: { enabled: true } })
  const syncId = await syncOf(caller, id)
  await caller.call(addBaseMappers, { params: { syncId } })
  return { id, syncId }
}

export async function syncOf(caller: Caller, id: string): Promise<string> {
  const { provider } = await caller.call(readProvider, { params: { id } })
  return provider.sync[0]?.id ?? ''
}

/** Switches a synchronization on, which begins its first run; works on it. Returns the run with its faults. */
export async function enableSync(caller: Caller, { id, syncId }: { id: string; syncId: string }, more: object = {}) {
  await caller.call(syncs.updateProviderSync, {
    params: { id, syncId },
    body: { enabled: true, periodUnit: 1, periodAmount: 'hours', syncLimit: 10, ...more },
  })
  const { provider } = await caller.call(readProvider, { params: { id } })
  return workOnSync(caller, provider.sync[0]?.details.runId ?? '')
}

/** Works on a run until it is over or stops. Returns it with its faults. */
export async function workOnSync(caller: Caller, id: string) {
  for (let turn = 0; turn < 200; turn++) {
    await processRows(batchKinds, id)
    const [run] = await db().select({ state: runs.state }).from(runs).where(eq(runs.id, id))
    if (run?.state !== 'running') break
  }
  return caller.call(syncs.readProviderRun, { params: { id } })
}

/** Starts a run by hand and works on it. */
export async function synced(caller: Caller, id: string, dry = false) {
  const started = await caller.call(syncs.startProviderSync, { params: { id }, body: { dry } })
  return { id: started.id, ...(await workOnSync(caller, started.id)) }
}
