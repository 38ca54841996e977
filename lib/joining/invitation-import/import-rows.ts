import { z } from 'zod'
import type { Transaction } from '@/db/client'
import { type BatchKinds, BatchStopped } from '@/lib/base/batch-jobs/process-rows'
import { type DomainEvents, emit } from '@/lib/base/events/events'
import { AppError } from '@/lib/base/runtime/errors'
import { maySendInvitations } from '@/lib/companies/managers/service'
import { RunOrigin, runContext } from '@/lib/site/domains/run-context'
import { inviteIn, newLink } from '../invitations/manage'
import { inviteTogether } from '../invitations/write-batch'

/** What a row needs: whom it invites to what. */
const ImportRow = z.object({
  email: z.string(),
  contractorId: z.string(),
  access: z.array(z.object({ organizationId: z.string(), roles: z.array(z.string()) })),
})

/**
 * Sends the invitations of a file, each by the rules of a single one. They are asked again for the rows of each
 * transaction, because the person who started the run may lose rights while it works.
 */
export const inviteRows: BatchKinds[string] = async ({ userId, options }) => {
  if (!userId) throw new BatchStopped('importStarter')
  const ctx = await runContext(RunOrigin.parse(options))
  /** Why nobody can be invited to this contractor, or null. */
  const refusal = async (tx: Transaction, contractorId: string) => {
    const may = await maySendInvitations(tx, userId, contractorId)
    if (may === 'gone') throw new BatchStopped('importStarter')
    return may === 'stranger' ? new AppError(400, 'importContractor') : null
  }
  const telling = (tx: Transaction) => (invited: DomainEvents['invitationSent']) =>
    emit(tx, ctx, 'invitationSent', invited)
  return {
    doRow: async (tx, { input }) => {
      const row = ImportRow.parse(input)
      const refused = await refusal(tx, row.contractorId)
      if (refused) throw refused
      await inviteIn(tx, ctx, userId, row, await newLink(ctx), telling(tx))
    },
    doTogether: async (tx, rows) => {
      const faults = new Map<number, AppError>()
      const refusals = new Map<string, AppError | null>()
      const open: { at: number; invitation: z.output<typeof ImportRow> }[] = []
      for (const { row: at, input } of rows) {
        const invitation = ImportRow.parse(input)
        const { contractorId } = invitation
        const known = refusals.get(contractorId)
        const refused = known === undefined ? await refusal(tx, contractorId) : known
        refusals.set(contractorId, refused)
        if (refused) faults.set(at, refused)
        else open.push({ at, invitation })
      }
      const list = open.map(({ invitation }) => invitation)
      const others = await inviteTogether(tx, ctx, userId, list, telling(tx))
      for (const [n, fault] of others) faults.set(open[n]?.at ?? 0, fault)
      return { faults }
    },
  }
}
