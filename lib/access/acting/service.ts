import type { Transaction } from '@/db/client'
import type { SystemicMethod } from '@/lib/base/access/access-methods'
import { BatchStopped } from '@/lib/base/batch-jobs/process-rows'
import { holdsMethod } from '@/lib/base/context/access'
import type { Ctx } from '@/lib/base/context/ctx'
import { methodCodesOf } from '@/lib/base/effective-rights/service'
import { accessOf } from '../roles/service'
import { selectActor } from './queries'

type ActingOptions = {
  id: string | null
  needs: readonly SystemicMethod[]
  /** Error codes: `gone` if there is no account or it is disabled, `lacks` if it lacks a method. */
  gone: string
  lacks: string
  /**
   * The account that has set up what the batch job works with; null for an administrator. The job acts with no more
   * methods than this account holds.
   */
  within?: string | null | undefined
  /** Methods that the account `within` must hold. */
  withinNeeds?: readonly SystemicMethod[]
}

/**
 * Returns the context of a batch job that works with the rights of an account, with the methods that it holds now.
 * Throws BatchStopped if the account is missing or disabled, or if it or `within` lacks a method
 * (docs/rules/providers.md#schedule).
 */
export async function actingAs(
  tx: Transaction,
  ctx: Ctx,
  { id, needs, gone, lacks, within = null, withinNeeds = [] }: ActingOptions,
): Promise<Ctx> {
  const person = id ? await selectActor(tx, id) : null
  if (!person) throw new BatchStopped(gone)
  const { methods, methodIds } = await accessOf(person.id, tx)
  if (needs.some((method) => !holdsMethod({ methods }, method))) throw new BatchStopped(lacks)
  const authorId = within === person.id ? null : within
  if (authorId && withinNeeds.length > 0) {
    const authorMethods = await methodCodesOf(tx, authorId)
    if (withinNeeds.some((method) => !authorMethods.has(method))) throw new BatchStopped(lacks)
  }
  const user = {
    ...person,
    methods,
    methodIds,
    within: authorId,
    navMini: null,
    pagination: null,
    columns: {},
    picture: null,
  }
  return { ...ctx, user, session: { id: '' } }
}
