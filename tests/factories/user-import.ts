import { eq } from 'drizzle-orm'
import { db } from '@/db/client'
import { runs } from '@/db/schema'
import * as calls from '@/lib/account-administration/user-import/contract'
import type { ImportKey, ImportMode } from '@/lib/account-administration/user-import/offered'
import type { BatchKinds } from '@/lib/base/batch-jobs/process-rows'
import { processRows } from '@/lib/base/batch-jobs/process-rows'
import { batchKinds } from '@/lib/wiring/runs'
import type { Caller } from './caller'

type Wishes = { by?: ImportKey; mode?: ImportMode; sendLinks?: boolean }

/** A file of accounts: the targets of its columns, and rows of cells. */
export const importOf = (targets: readonly (string | null)[], rows: readonly string[][], wishes: Wishes = {}) => {
  const quoted = (cell: string) => `"${cell.replaceAll('"', '""')}"`
  const head = targets.map((target, at) => target ?? `unused ${at}`)
  const text = [head, ...rows].map((cells) => cells.map(quoted).join(';')).join('\r\n')
  return planned(new File([text], 'users.csv'), targets, wishes)
}

/** The body of the calls for a file. */
export const planned = (file: File, targets: readonly (string | null)[], wishes: Wishes = {}) => ({
  file,
  columns: JSON.stringify(targets),
  by: wishes.by ?? ('login' as const),
  mode: wishes.mode ?? ('both' as const),
  sendLinks: wishes.sendLinks ? ('true' as const) : ('false' as const),
})
export type ImportBody = ReturnType<typeof planned>

/** Works on a run until it is over or stops. */
export async function workOnImport(id: string, kinds: BatchKinds = batchKinds) {
  for (let turn = 0; turn < 1_000; turn++) {
    await processRows(kinds, id)
    const [run] = await db().select({ state: runs.state }).from(runs).where(eq(runs.id, id))
    if (run?.state !== 'running') return
  }
}

/** Imports a file and returns the run with its faults. */
export async function imported(caller: Caller, body: ImportBody) {
  const { id } = await caller.call(calls.startUserImport, { body })
  await workOnImport(id)
  return { id, ...(await caller.call(calls.readUserImport, { params: { id } })) }
}
