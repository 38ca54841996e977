import type { Transaction } from '@/db/client'
import { holdsMethod } from '@/lib/kernel/access'
import type { SystemicMethod } from '@/lib/kernel/access-methods'
import type { Ctx } from '@/lib/kernel/ctx'
import { RunStopped } from '@/lib/kernel/runs/work'
import { accessOf } from '@/lib/people/roles/service'
import { selectActor } from './queries'

type Actor = {
  id: string | null
  needs: readonly SystemicMethod[]
  /** Codes: nobody acts or their account is disabled, and they lack a method. */
  gone: string
  lacks: string
}

/**
 * Returns the context of a run that works with the rights of a person, with what they hold at this moment. Throws
 * RunStopped if the account is gone or disabled, or lacks a method (docs/rules/providers.md#schedule).
 */
export async function actingAs(tx: Transaction, ctx: Ctx, { id, needs, gone, lacks }: Actor): Promise<Ctx> {
  const person = id ? await selectActor(tx, id) : null
  if (!person) throw new RunStopped(gone)
  const { methods, methodIds } = await accessOf(person.id, tx)
  if (needs.some((method) => !holdsMethod({ methods }, method))) throw new RunStopped(lacks)
  const user = { ...person, methods, methodIds, navMini: null, pagination: null, columns: {}, picture: null }
  return { ...ctx, user, session: { id: '' } }
}
