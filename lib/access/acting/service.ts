import type { Transaction } from '@/db/client'
import type { SystemicMethod } from '@/lib/base/access/access-methods'
import { BatchStopped } from '@/lib/base/batch-jobs/process-rows'
import { holdsMethod } from '@/lib/base/context/access'
import type { Ctx } from '@/lib/base/context/ctx'
import { methodCodesOf } from '@/lib/base/effective-rights/service'
import { accessOf } from '../roles/service'
import { selectActor } from './queries'

type Actor = {
  id: string | null
  needs: readonly SystemicMethod[]
  /** Codes: nobody acts or their account is disabled, and they lack a method. */
  gone: string
  lacks: string
  /** Who has set up what the run works with, null for an administrator: it acts with no more than they hold, either. */
  within?: string | null | undefined
  /** What they must hold as well. */
  withinNeeds?: readonly SystemicMethod[]
}

/**
 * Returns the context of a run that works with the rights of a person, with what they hold at this moment. Throws
 * RunStopped if the account is gone or disabled, or lacks a method (docs/rules/providers.md#schedule).
 */
export async function actingAs(
  tx: Transaction,
  ctx: Ctx,
  { id, needs, gone, lacks, within = null, withinNeeds = [] }: Actor,
): Promise<Ctx> {
  const person = id ? await selectActor(tx, id) : null
  if (!person) throw new BatchStopped(gone)
  const { methods, methodIds } = await accessOf(person.id, tx)
  if (needs.some((method) => !holdsMethod({ methods }, method))) throw new BatchStopped(lacks)
  const other = within === person.id ? null : within
  if (other && withinNeeds.length > 0) {
    const held = await methodCodesOf(tx, other)
    if (withinNeeds.some((method) => !held.has(method))) throw new BatchStopped(lacks)
  }
  const user = {
    ...person,
    methods,
    methodIds,
    within: other,
    navMini: null,
    pagination: null,
    columns: {},
    picture: null,
  }
  return { ...ctx, user, session: { id: '' } }
}
