import { z } from 'zod'
import type { Transaction } from '@/db/client'
import { inviteIn, newLink } from '@/lib/entry/invitations/manage'
import type { Ctx } from '@/lib/kernel/ctx'
import { AppError } from '@/lib/kernel/errors'
import { emit } from '@/lib/kernel/events'
import { type RunKinds, RunStopped } from '@/lib/kernel/runs/work'
import { maySendInvitations } from '@/lib/people/master-account/service'
import { domainByHost } from '@/lib/platform/domains/service'

/** What every row of a run needs: where the person was who started it. */
export const ImportOptions = z.object({ host: z.string(), locale: z.string(), ip: z.string(), requestId: z.string() })
export type ImportOptions = z.infer<typeof ImportOptions>

/** What a row needs: whom it invites to what. */
const ImportRow = z.object({
  email: z.string(),
  contractorId: z.string(),
  access: z.array(z.object({ organizationId: z.string(), roles: z.array(z.string()) })),
})

/** The context of a job: nobody is signed in, and the person who started the run stands in the options. */
async function contextOf({ host, locale, ip, requestId }: ImportOptions): Promise<Ctx & { bulk: true }> {
  return {
    bulk: true,
    requestId,
    ip,
    userAgent: '',
    domain: await domainByHost(host),
    locale,
    timeZone: 'Europe/Moscow',
    deviceType: '',
    session: null,
    user: null,
    service: null,
    cookies: { get: () => undefined, set: () => {} },
    now: () => new Date(),
  }
}

/**
 * Sends the invitations of a file, each by the rules of a single one. They are asked again at each row, because the person
 * who started the run may lose rights while it works.
 */
export const inviteRows: RunKinds[string] = async ({ userId, options }) => {
  const ctx = await contextOf(ImportOptions.parse(options))
  return async (tx: Transaction, { input }) => {
    const row = ImportRow.parse(input)
    const may = await maySendInvitations(tx, userId, row.contractorId)
    if (may === 'gone') throw new RunStopped('importStarter')
    if (may === 'stranger') throw new AppError(400, 'importContractor')
    await inviteIn(tx, ctx, userId, row, await newLink(ctx), (invited) => emit(tx, ctx, 'invitationSent', invited))
  }
}
