import { eq } from 'drizzle-orm'
import { db } from '@/db/client'
import { integrationExchanges, integrationSyncs, runs } from '@/db/schema'
import { giveRole } from '@/lib/accounts/users/queries'
import { processRows } from '@/lib/base/batch-jobs/process-rows'
import type { IntegrationKey } from '@/lib/exchanges/exchange-journal/keys'
import * as calls from '@/lib/exchanges/exchanges/contract'
import { invalidateSessions } from '@/lib/sign-in/sessions/service'
import { batchKinds } from '@/lib/wiring/runs'
import { createRoleWith, signedInWith } from './access'
import { Caller } from './caller'
import { contextOf } from './invitations'

/** Signs in somebody who may set up and use every exchange, with further methods. */
export const integrator = async (more: string[] = []) =>
  new Caller(
    (await signedInWith(['integration.write', 'contractors.write', 'users.write', 'roles.read', ...more])).browser,
  )

const widened = new WeakSet<Caller['browser']>()
/** Gives somebody who is signed in what exchanges need besides the rights of the area. */
export async function mayExchange(caller: Caller): Promise<Caller> {
  if (widened.has(caller.browser)) return caller
  widened.add(caller.browser)
  const userId = (await contextOf(caller.browser)).user?.id ?? ''
  const role = await createRoleWith(['contractors.write', 'users.write', 'roles.read'])
  const after = await db().transaction(async (tx) => {
    await giveRole(tx, userId, role)
    return invalidateSessions(tx, userId, new Date())
  })
  await after?.()
  return caller
}

/** The id of the exchange with a key. */
export async function syncIdOf(key: IntegrationKey): Promise<string> {
  const [row] = await db()
    .select({ id: integrationSyncs.id })
    .from(integrationSyncs)
    .where(eq(integrationSyncs.key, key))
  return row?.id ?? ''
}

/** Makes an exchange as it was shipped, without runs and requests. */
export async function resetSync(key: IntegrationKey): Promise<string> {
  const id = await syncIdOf(key)
  await db().delete(runs).where(eq(runs.subject, id))
  await db().delete(integrationExchanges).where(eq(integrationExchanges.key, key))
  const shipped = {
    url: '',
    auth: 'none' as const,
    authName: '',
    secret: null,
    enabled: false,
    actorId: null,
    enteredBy: null,
  }
  await db()
    .update(integrationSyncs)
    .set({ ...shipped, periodUnit: 0, pageSize: 100 })
    .where(eq(integrationSyncs.id, id))
  return id
}

/** Sets up an exchange with another system and switches it on. Returns its id. */
export async function connect(caller: Caller, key: IntegrationKey, url: string, more: object = {}): Promise<string> {
  const id = await resetSync(key)
  await caller.call(calls.updateIntegrationSync, { params: { id }, body: { url, pageSize: 10, ...more } })
  await caller.call(calls.enableIntegrationSync, { params: { id }, body: { enabled: true } })
  return id
}

/** Works on a run until it is over or stops. Returns it with its faults. */
export async function workOnExchange(caller: Caller, id: string) {
  for (let turn = 0; turn < 200; turn++) {
    await processRows(batchKinds, id)
    const [run] = await db().select({ state: runs.state }).from(runs).where(eq(runs.id, id))
    if (run?.state !== 'running') break
  }
  return caller.call(calls.readIntegrationRun, { params: { id } })
}

/** Starts a run by hand and works on it. */
export async function exchanged(caller: Caller, id: string) {
  const started = await caller.call(calls.startIntegrationSync, { params: { id } })
  return { id: started.id, ...(await workOnExchange(caller, started.id)) }
}

/** The journal of a run, in the order of the requests. */
export const journalOf = (runId: string) =>
  db()
    .select()
    .from(integrationExchanges)
    .where(eq(integrationExchanges.runId, runId))
    .orderBy(integrationExchanges.createdAt)
