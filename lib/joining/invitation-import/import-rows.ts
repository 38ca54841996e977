import { z } from 'zod'
import type { Transaction } from '@/db/client'
import { type BatchKinds, BatchStopped } from '@/lib/base/batch-jobs/process-rows'
import { type DomainEvents, emit } from '@/lib/base/events/events'
import { AppError } from '@/lib/base/runtime/errors'
import { maySendInvitations } from '@/lib/companies/managers/service'
import { RunOrigin, runContext } from '@/lib/site/domains/run-context'
import { inviteIn, newLink } from '../invitations/manage'
import { inviteBatch } from '../invitations/write-batch'

/** The input of a row: the invited person, the contractor and the access. */
const ImportRow = z.object({
  email: z.string(),
  contractorId: z.string(),
  access: z.array(z.object({ organizationId: z.string(), roles: z.array(z.string()) })),
})

/**
 * Sends the invitations of a file, each by the rules of a single invitation. Each transaction checks them again,
 * because the person who started the batch job may lose methods while it works.
 */
export const inviteRows: BatchKinds[string] = async ({ userId, options }) => {
  if (!userId) throw new BatchStopped('importStarter')
  const ctx = await runContext(RunOrigin.parse(options))
  /** Returns the error if the person can't invite to this contractor, or null. */
  const refusal = async (tx: Transaction, contractorId: string) => {
    const permission = await maySendInvitations(tx, userId, contractorId)
    if (permission === 'gone') throw new BatchStopped('importStarter')
    return permission === 'stranger' ? new AppError(400, 'importContractor') : null
  }
  const emitInvited = (tx: Transaction) => (invited: DomainEvents['invitationSent']) =>
    emit(tx, ctx, 'invitationSent', invited)
  return {
    processRow: async (tx, { input }) => {
      const row = ImportRow.parse(input)
      const refused = await refusal(tx, row.contractorId)
      if (refused) throw refused
      await inviteIn(tx, ctx, userId, row, await newLink(ctx), emitInvited(tx))
    },
    processBatch: async (tx, rows) => {
      const faults = new Map<number, AppError>()
      const refusals = new Map<string, AppError | null>()
      const allowed: { at: number; invitation: z.output<typeof ImportRow> }[] = []
      for (const { row: at, input } of rows) {
        const invitation = ImportRow.parse(input)
        const { contractorId } = invitation
        const cached = refusals.get(contractorId)
        const refused = cached === undefined ? await refusal(tx, contractorId) : cached
        refusals.set(contractorId, refused)
        if (refused) faults.set(at, refused)
        else allowed.push({ at, invitation })
      }
      const list = allowed.map(({ invitation }) => invitation)
      const batchFaults = await inviteBatch(tx, ctx, userId, list, emitInvited(tx))
      for (const [index, fault] of batchFaults) faults.set(allowed[index]?.at ?? 0, fault)
      return { faults }
    },
  }
}
