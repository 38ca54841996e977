import type { Transaction } from '@/db/client'
import { emailsInvitedToMore } from '@/lib/access/rights/service'
import type { UserChange } from '@/lib/accounts/user-table/fields'
import { giveDefaultRole } from '@/lib/accounts/users/administered'
import { areFree, insertFree } from '@/lib/accounts/users/administered-many'
import { userEntity } from '@/lib/accounts/users/entity'
import { preparer } from '@/lib/accounts/users/prepared'
import { auditMany } from '@/lib/base/audit/audit'
import type { Ctx } from '@/lib/base/context/ctx'
import { uniqueAmong } from '@/lib/fields/values/unique'
import { blocksOf } from '@/lib/fields/values/values'
import { preparerAt } from '@/lib/identity-providers/connections/service'
import { sendMails } from '@/lib/messaging/sender/service'
import { addLinks } from '@/lib/sign-in/email-links/service'
import { platformSettings } from '@/lib/site/settings/service'
import { entryMail, loginOf, type NewAccountRow, newAccount, type Origin } from './write'

type AccountToCreate = { change: UserChange } & Omit<Origin, 'providerId'>

/**
 * Stores new accounts of a directory, or of the platform (null), in few statements, with the same result as `createIn`
 * for each. Call `holdUniqueness` before. Returns their rows in the same order; null for an account that `createIn`
 * must create, because another account may have one of its identifiers, because it has unique values, or because of an
 * invitation. Throws 409 for an identifier that is taken at the same moment.
 */
export async function createManyIn(
  tx: Transaction,
  ctx: Ctx,
  providerId: string | null,
  accounts: readonly AccountToCreate[],
): Promise<(NewAccountRow | null)[]> {
  const { defaultUserRole: roleId } = await platformSettings()
  const uniqueFields = await uniqueAmong(tx, [...new Set(accounts.flatMap(({ change }) => change.fields))])
  const invitedEmails = await emailsInvitedToMore(
    tx,
    ctx,
    accounts.flatMap(({ change }) => change.columns.email ?? []),
  )
  const preparerId = providerId ? await preparerAt(tx, providerId) : await preparer(tx, ctx)
  const drafts = accounts.map(({ change, ...origin }) => {
    const login = loginOf(change)
    if (!login || invitedEmails.has(change.columns.email ?? '')) return null
    if (change.fields.some((field) => uniqueFields.includes(field))) return null
    const fullOrigin = { ...origin, ...(providerId ? { providerId } : {}) }
    return { ...newAccount(ctx, change, { ...fullOrigin, login, roleId, who: preparerId }), change }
  })
  const candidates = drafts.filter((draft) => draft !== null)
  const isFree = await areFree(
    tx,
    candidates.map(({ row }) => row),
    providerId,
  )
  const inserted = candidates.filter((_, index) => isFree[index])
  if (inserted.length === 0) return accounts.map(() => null)
  const ids = inserted.map(({ row }) => row.id)
  await insertFree(
    tx,
    inserted.map(({ row }) => row),
  )
  await giveDefaultRole(tx, ids, roleId)
  await auditMany(
    tx,
    ctx,
    userEntity,
    inserted.map(({ row, recorded, change }) => ({
      ...{ id: row.id, before: null, after: recorded, subtype: blocksOf(change.fields) },
    })),
  )
  const insertedSet = new Set(inserted)
  return drafts.map((draft) => (draft && insertedSet.has(draft) ? draft.row : null))
}

/**
 * Mails new accounts, which have an e-mail and no password, their first-entry links, as `mailEntryLink` does for each.
 */
export async function mailEntryLinks(tx: Transaction, ctx: Ctx, accounts: readonly NewAccountRow[]): Promise<void> {
  const { firstRefreshAlive: seconds } = await platformSettings()
  const withEmail = accounts.flatMap((account) => (account.email ? [{ ...account, email: account.email }] : []))
  const links = await addLinks(
    tx,
    ctx,
    'entry',
    withEmail.map(({ id }) => id),
    seconds,
  )
  await sendMails(
    tx,
    ctx,
    withEmail.map((account) => entryMail(ctx, account, links.get(account.id) ?? '', seconds)),
  )
}
