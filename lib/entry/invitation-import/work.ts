import { z } from 'zod'
import type { Transaction } from '@/db/client'
import { inviteIn, newLink } from '@/lib/entry/invitations/manage'
import { AppError } from '@/lib/kernel/errors'
import { emit } from '@/lib/kernel/events'
import { type RunKinds, RunStopped } from '@/lib/kernel/runs/work'
import { maySendInvitations } from '@/lib/people/master-account/service'
import { RunOrigin, runContext } from '@/lib/platform/domains/run-context'

/** What a row needs: whom it invites to what. */
const ImportRow = z.object({
  email: z.string(),
  contractorId: z.string(),
  access: z.array(z.object({ organizationId: z.string(), roles: z.array(z.string()) })),
})

/**
 * Sends the invitations of a file, each by the rules of a single one. They are asked again at each row, because the person
 * who started the run may lose rights while it works.
 */
export const inviteRows: RunKinds[string] = async ({ userId, options }) => {
  const ctx = await runContext(RunOrigin.parse(options))
  return async (tx: Transaction, { input }) => {
    const row = ImportRow.parse(input)
    const may = await maySendInvitations(tx, userId, row.contractorId)
    if (may === 'gone') throw new RunStopped('importStarter')
    if (may === 'stranger') throw new AppError(400, 'importContractor')
    await inviteIn(tx, ctx, userId, row, await newLink(ctx), (invited) => emit(tx, ctx, 'invitationSent', invited))
  }
}
