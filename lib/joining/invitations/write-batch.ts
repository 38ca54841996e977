import type { Transaction } from '@/db/client'
import { accountsOfEmails } from '@/lib/accounts/users/create'
import { type AuditContext, auditMany } from '@/lib/base/audit/audit'
import type { DomainEvents } from '@/lib/base/events/events'
import type { MessageCtx } from '@/lib/base/mail-and-sms/queue'
import { AppError } from '@/lib/base/runtime/errors'
import { assignableRoles, membersOf } from '@/lib/companies/managers/service'
import { sendMails } from '@/lib/messaging/sender/service'
import { normalizeIdentifier } from '@/lib/sign-in/attempts/identifier'
import { invitationEntity } from './entity'
import { deactivate } from './expire'
import { endOf } from './link'
import { type Account, linkMail, mailAccount, toldOf } from './mail'
import { type NewInvitation, newLink } from './manage'
import {
  type Invitation,
  insertInvitations,
  insertRolesOfInvitations,
  lockOpenInvitationsOf,
  lockPairs,
} from './queries'

type Ctx = AuditContext & MessageCtx
type Roles = Awaited<ReturnType<typeof assignableRoles>>
type Wanted = { at: number; email: string; contractorId: string; locale: string | null; roles: Roles; choice: string }

const pairOf = ({ email, contractorId }: Pick<Wanted, 'email' | 'contractorId'>) => `${email} ${contractorId}`

/** Asks what may be given once for each choice of contractor and access. Puts refusals into `faults`. */
async function wantedOf(
  tx: Transaction,
  inviterId: string,
  list: readonly NewInvitation[],
  faults: Map<number, AppError>,
): Promise<Wanted[]> {
  const choices = new Map<string, Roles | AppError>()
  const refusal = (error: unknown) => {
    if (!(error instanceof AppError)) throw error
    return error
  }
  const wanted: Wanted[] = []
  for (const [at, { email, contractorId, access, locale = null }] of list.entries()) {
    const choice = JSON.stringify([contractorId, access])
    const roles = choices.get(choice) ?? (await assignableRoles(tx, inviterId, contractorId, access).catch(refusal))
    choices.set(choice, roles)
    try {
      if (roles instanceof AppError) throw roles
      wanted.push({ at, email: normalizeIdentifier('email', email), contractorId, locale, roles, choice })
    } catch (error) {
      faults.set(at, refusal(error))
    }
  }
  return wanted
}

/**
 * Leaves those of the list who can be invited: nobody who is invited to the contractor or in it, and nobody twice. Closes
 * their expired invitations. Returns each with the account of the e-mail.
 */
async function uninvited(tx: Transaction, ctx: Ctx, wanted: readonly Wanted[], faults: Map<number, AppError>) {
  await lockPairs(tx, wanted)
  const now = ctx.now()
  const found = await lockOpenInvitationsOf(tx, wanted)
  const taken = new Set(found.flatMap((row) => (endOf(row, now) ? [] : [pairOf(row)])))
  const accounts = Map.groupBy(
    await accountsOfEmails(
      wanted.map(({ email }) => email),
      tx,
    ),
    ({ lowered }) => lowered,
  )
  const members = await membersOf(
    tx,
    [...accounts.values()].flat().map(({ id }) => id),
    wanted.map(({ contractorId }) => contractorId),
  )
  const left: { row: Wanted; account: Account | undefined }[] = []
  for (const row of wanted) {
    const own = accounts.get(row.email) ?? []
    if (taken.has(pairOf(row))) faults.set(row.at, new AppError(409, 'invitationActive'))
    else if (own.some(({ id }) => members.has(`${id} ${row.contractorId}`)))
      faults.set(row.at, new AppError(409, 'contractorMember'))
    else {
      taken.add(pairOf(row))
      left.push({ row, account: own[0] })
    }
  }
  const invited = new Set(left.map(({ row }) => pairOf(row)))
  await deactivate(
    tx,
    ctx,
    found.flatMap((row) => (invited.has(pairOf(row)) ? [row.id] : [])),
  )
  return left
}

/**
 * Invites several people in the name of an account as `inviteIn` does one after another, with few statements. Returns
 * why not, for each of the list who isn't invited, by its place there. `told` hears of each who has an account.
 */
export async function inviteTogether(
  tx: Transaction,
  ctx: Ctx,
  inviterId: string,
  list: readonly NewInvitation[],
  told: (invited: DomainEvents['invitationSent']) => Promise<unknown>,
): Promise<Map<number, AppError>> {
  const faults = new Map<number, AppError>()
  const wanted = await wantedOf(tx, inviterId, list, faults)
  const left = await uninvited(tx, ctx, wanted, faults)
  const made: { invitation: Invitation; link: Awaited<ReturnType<typeof newLink>>; of: (typeof left)[number] }[] = []
  const links = await Promise.all(left.map(() => newLink(ctx)))
  const values = left.flatMap(({ row: { email, contractorId, locale } }, n) => {
    const link = links[n]
    const common = { email, contractorId, inviterId, domainId: ctx.domain.id, locale, createdAt: ctx.now() }
    return link ? [{ ...link.values, ...common }] : []
  })
  for (const [n, invitation] of (await insertInvitations(tx, values)).entries()) {
    const [of, link] = [left[n], links[n]]
    if (of && link) made.push({ invitation, link, of })
  }
  await insertRolesOfInvitations(
    tx,
    made.flatMap(({ invitation: { id }, of: { row } }) => row.roles.map((role) => ({ invitationId: id, ...role }))),
  )
  await auditMany(
    tx,
    ctx,
    invitationEntity,
    made.map(({ invitation: { id, email, contractorId, status, expiresAt }, of: { row } }) => ({
      id,
      before: null,
      after: { email, contractorId, contractorRoles: row.roles, status, expiresAt },
    })),
    { changerId: inviterId },
  )
  const tellings = new Map<string, Awaited<ReturnType<typeof toldOf>>>()
  const strangers: ReturnType<typeof linkMail>[] = []
  for (const { invitation, link, of } of made) {
    const { choice } = of.row
    const telling = tellings.get(choice) ?? (await toldOf(tx, invitation))
    tellings.set(choice, telling)
    if (of.account) await told(await mailAccount(tx, ctx, invitation, link, of.account, telling))
    else strangers.push(linkMail(ctx, invitation, link, undefined, telling))
  }
  await sendMails(
    tx,
    ctx,
    strangers.map((mail) => ({ ...mail, userId: null })),
  )
  return faults
}
