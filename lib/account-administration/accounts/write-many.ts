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

type Wanted = { change: UserChange } & Omit<Origin, 'providerId'>

/**
 * Stores new accounts of a directory, or of the platform itself (null), as `createIn` does one after another, in few
 * statements, after `holdUniqueness`. Returns their rows in the same order; null for those that `createIn` must do, because
 * somebody else may have an identifier, because values have to be unique, or because of an invitation. Throws 409 for an identifier that is taken at
 * the same moment.
 */
export async function createManyIn(
  tx: Transaction,
  ctx: Ctx,
  providerId: string | null,
  wanted: readonly Wanted[],
): Promise<(NewAccountRow | null)[]> {
  const { defaultUserRole: roleId } = await platformSettings()
  const unique = await uniqueAmong(tx, [...new Set(wanted.flatMap(({ change }) => change.fields))])
  const invited = await emailsInvitedToMore(
    tx,
    ctx,
    wanted.flatMap(({ change }) => change.columns.email ?? []),
  )
  const who = providerId ? await preparerAt(tx, providerId) : await preparer(tx, ctx)
  const made = wanted.map(({ change, ...origin }) => {
    const login = loginOf(change)
    if (!login || invited.has(change.columns.email ?? '')) return null
    if (change.fields.some((field) => unique.includes(field))) return null
    const more = { ...origin, ...(providerId ? { providerId } : {}) }
    return { ...newAccount(ctx, change, { ...more, login, roleId, who }), change }
  })
  const able = made.filter((one) => one !== null)
  const free = await areFree(
    tx,
    able.map(({ row }) => row),
    providerId,
  )
  const list = able.filter((_, at) => free[at])
  if (list.length === 0) return wanted.map(() => null)
  const ids = list.map(({ row }) => row.id)
  await insertFree(
    tx,
    list.map(({ row }) => row),
  )
  await giveDefaultRole(tx, ids, roleId)
  await auditMany(
    tx,
    ctx,
    userEntity,
    list.map(({ row, recorded, change }) => ({
      ...{ id: row.id, before: null, after: recorded, subtype: blocksOf(change.fields) },
    })),
  )
  const stored = new Set(list)
  return made.map((one) => (one && stored.has(one) ? one.row : null))
}

/** Mails new accounts, which have an e-mail and no password, their first-entry links as `mailEntryLink` does each. */
export async function mailEntryLinks(tx: Transaction, ctx: Ctx, accounts: readonly NewAccountRow[]): Promise<void> {
  const { firstRefreshAlive: alive } = await platformSettings()
  const reached = accounts.flatMap((account) => (account.email ? [{ ...account, email: account.email }] : []))
  const links = await addLinks(
    tx,
    ctx,
    'entry',
    reached.map(({ id }) => id),
    alive,
  )
  await sendMails(
    tx,
    ctx,
    reached.map((account) => entryMail(ctx, account, links.get(account.id) ?? '', alive)),
  )
}
