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
import { type Account, factsOf, linkMail, mailAccount } from './mail'
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
type PlannedInvitation = {
  at: number
  email: string
  contractorId: string
  locale: string | null
  roles: Roles
  choice: string
}

const pairOf = ({ email, contractorId }: Pick<PlannedInvitation, 'email' | 'contractorId'>) =>
  `${email} ${contractorId}`

/**
 * Checks the roles once for each choice of contractor and access. Returns the invitations that pass, and puts the
 * refusals into `faults`.
 */
async function planInvitations(
  tx: Transaction,
  inviterId: string,
  list: readonly NewInvitation[],
  faults: Map<number, AppError>,
): Promise<PlannedInvitation[]> {
  const choices = new Map<string, Roles | AppError>()
  const refusal = (error: unknown) => {
    if (!(error instanceof AppError)) throw error
    return error
  }
  const planned: PlannedInvitation[] = []
  for (const [at, { email, contractorId, access, locale = null }] of list.entries()) {
    const choice = JSON.stringify([contractorId, access])
    const roles = choices.get(choice) ?? (await assignableRoles(tx, inviterId, contractorId, access).catch(refusal))
    choices.set(choice, roles)
    try {
      if (roles instanceof AppError) throw roles
      planned.push({ at, email: normalizeIdentifier('email', email), contractorId, locale, roles, choice })
    } catch (error) {
      faults.set(at, refusal(error))
    }
  }
  return planned
}

/**
 * Returns the planned invitations that can be sent, each with the account of the e-mail: without people who are invited
 * to the contractor or belong to it already, and without repetitions. Puts the others into `faults`. Closes expired
 * invitations of the same people.
 */
async function selectInvitable(
  tx: Transaction,
  ctx: Ctx,
  planned: readonly PlannedInvitation[],
  faults: Map<number, AppError>,
) {
  await lockPairs(tx, planned)
  const now = ctx.now()
  const openRows = await lockOpenInvitationsOf(tx, planned)
  const takenPairs = new Set(openRows.flatMap((row) => (endOf(row, now) ? [] : [pairOf(row)])))
  const accounts = Map.groupBy(
    await accountsOfEmails(
      planned.map(({ email }) => email),
      tx,
    ),
    ({ lowered }) => lowered,
  )
  const members = await membersOf(
    tx,
    [...accounts.values()].flat().map(({ id }) => id),
    planned.map(({ contractorId }) => contractorId),
  )
  const invitable: { row: PlannedInvitation; account: Account | undefined }[] = []
  for (const row of planned) {
    const owners = accounts.get(row.email) ?? []
    if (takenPairs.has(pairOf(row))) faults.set(row.at, new AppError(409, 'invitationActive'))
    else if (owners.some(({ id }) => members.has(`${id} ${row.contractorId}`)))
      faults.set(row.at, new AppError(409, 'contractorMember'))
    else {
      takenPairs.add(pairOf(row))
      invitable.push({ row, account: owners[0] })
    }
  }
  const invitedPairs = new Set(invitable.map(({ row }) => pairOf(row)))
  await deactivate(
    tx,
    ctx,
    openRows.flatMap((row) => (invitedPairs.has(pairOf(row)) ? [row.id] : [])),
  )
  return invitable
}

/**
 * Invites several people in the name of an account with few statements, with the same result as `inviteIn` for one
 * after another. Returns the error for each who isn't invited, by their index in the list. Calls `onInvited` for each
 * invited person who has an account.
 */
export async function inviteBatch(
  tx: Transaction,
  ctx: Ctx,
  inviterId: string,
  list: readonly NewInvitation[],
  onInvited: (invited: DomainEvents['invitationSent']) => Promise<unknown>,
): Promise<Map<number, AppError>> {
  const faults = new Map<number, AppError>()
  const planned = await planInvitations(tx, inviterId, list, faults)
  const invitable = await selectInvitable(tx, ctx, planned, faults)
  const created: {
    invitation: Invitation
    link: Awaited<ReturnType<typeof newLink>>
    of: (typeof invitable)[number]
  }[] = []
  const links = await Promise.all(invitable.map(() => newLink(ctx)))
  const values = invitable.flatMap(({ row: { email, contractorId, locale } }, index) => {
    const link = links[index]
    const common = { email, contractorId, inviterId, domainId: ctx.domain.id, locale, createdAt: ctx.now() }
    return link ? [{ ...link.values, ...common }] : []
  })
  for (const [index, invitation] of (await insertInvitations(tx, values)).entries()) {
    const [of, link] = [invitable[index], links[index]]
    if (of && link) created.push({ invitation, link, of })
  }
  await insertRolesOfInvitations(
    tx,
    created.flatMap(({ invitation: { id }, of: { row } }) => row.roles.map((role) => ({ invitationId: id, ...role }))),
  )
  await auditMany(
    tx,
    ctx,
    invitationEntity,
    created.map(({ invitation: { id, email, contractorId, status, expiresAt }, of: { row } }) => ({
      id,
      before: null,
      after: { email, contractorId, contractorRoles: row.roles, status, expiresAt },
    })),
    { changerId: inviterId },
  )
  const factsByChoice = new Map<string, Awaited<ReturnType<typeof factsOf>>>()
  const strangers: ReturnType<typeof linkMail>[] = []
  for (const { invitation, link, of } of created) {
    const { choice } = of.row
    const facts = factsByChoice.get(choice) ?? (await factsOf(tx, invitation))
    factsByChoice.set(choice, facts)
    if (of.account) await onInvited(await mailAccount(tx, ctx, invitation, link, of.account, facts))
    else strangers.push(linkMail(ctx, invitation, link, undefined, facts))
  }
  await sendMails(
    tx,
    ctx,
    strangers.map((mail) => ({ ...mail, userId: null })),
  )
  return faults
}
