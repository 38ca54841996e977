import { db, type Transaction } from '@/db/client'
import { lockOwnAccount, type OwnAccount } from '@/lib/accounts/users/own'
import { isOwnAccountEditable } from '@/lib/accounts/users/service'
import { requireUser } from '@/lib/base/context/access'
import type { Ctx } from '@/lib/base/context/ctx'
import type { ServiceInput } from '@/lib/base/contracts/contract'
import { AppError, fieldError, notFound } from '@/lib/base/runtime/errors'
import { profileFields } from '@/lib/fields/profile-fields/service'
import type { Definition } from '@/lib/fields/values/definition'
import { settleAccount } from '@/lib/sign-in/attempts/settle'
import { enterPersonCode, sendPersonCode } from '@/lib/sign-in/codes/person-code'
import { invalidateSessions } from '@/lib/sign-in/sessions/service'
import { ownContactRefusal, visibleContacts } from './allowed'
import { requireOwnDomain, storeProvenContact } from './changes'
import type * as calls from './contract'
import type { ContactKind, ContactsInfo } from './contract'
import { contactsOf, normalized, stored } from './list'
import { selectContactRows, selectMain } from './queries'
import { requireFreshProof } from './recent'

/** Returns a person's e-mails and mobiles, of the kinds that the profile shows. Throws 404 for an unknown person. */
export async function contactDetails(userId: string): Promise<ContactsInfo> {
  const [main, rows, fields] = await Promise.all([selectMain(userId), selectContactRows(db(), userId), profileFields()])
  if (!main) throw notFound()
  return visibleContacts(contactsOf(main, rows), fields)
}

/** Returns the contacts of an account that the transaction has locked, of the kinds that the profile shows. */
export const visibleContactsOf = async (tx: Transaction, account: OwnAccount, fields: readonly Definition[]) =>
  visibleContacts(contactsOf(account, await selectContactRows(tx, account.id)), fields)

/** Returns the normalized contact; a fault is reported at the field `value`. */
function normalizedInput(kind: ContactKind, value: string): string {
  try {
    return normalized(kind, value)
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    const errorList = error.data.errorList?.map((fault) => ({ ...fault, field: 'value' })) ?? []
    throw new AppError(400, undefined, { errorList })
  }
}

/** Throws 403 for a locked account, and 400 for a kind of contacts that people can't see or change. */
async function requireEditable(userId: string, kind: ContactKind) {
  if (!(await isOwnAccountEditable(userId))) throw new AppError(403, 'profileReadOnly')
  const refusal = await ownContactRefusal(kind)
  if (refusal) throw fieldError('kind', refusal)
}

/**
 * Sends a code to a contact that the signed-in person wants to prove. Whether it belongs to another account is checked
 * only after the right code. Throws 401, 400 errorEmail, errorMobile or for the kind, 403 profileReadOnly, 429, 503.
 */
export async function requestContactCode(ctx: Ctx, { body }: ServiceInput<typeof calls.requestContactCode>) {
  requireUser(ctx)
  const to = normalizedInput(body.kind, body.value)
  await requireEditable(ctx.user.id, body.kind)
  return sendPersonCode(ctx, { purpose: 'contact', kind: body.kind, to })
}

/**
 * Proves a contact by its code, adds it, and with `main` makes it the main one. Throws 401, 400 with the fault of the
 * code, 400 errorEmailRegistered or errorMobileRegistered if the new main contact belongs to another account, 400
 * errorDirectoryEmail or errorEmailOfDirectory, 400 for the kind, 400 or 403 as `requireFreshProof`, 403
 * profileReadOnly, 429.
 */
export async function verifyContact(ctx: Ctx, { body }: ServiceInput<typeof calls.verifyContact>) {
  requireUser(ctx)
  const { id } = ctx.user
  const { kind, code, main, password } = body
  const value = normalizedInput(kind, body.value)
  await requireEditable(id, kind)
  // checked before the code, so that a refusal doesn't use it up
  const mainValue = main ? (await selectMain(id))?.[kind] : null
  const trusted = main && !(mainValue && stored(kind, mainValue) === value)
  if (trusted) {
    if (kind === 'email') await requireOwnDomain(value, 'value')
    await requireFreshProof(ctx, password)
  }
  await enterPersonCode(ctx, { purpose: 'contact', kind, to: value }, code)
  const refreshed = await db().transaction(async (tx) => {
    const changed = await storeProvenContact(tx, ctx, await lockOwnAccount(tx, id), { kind, value, main, trusted })
    const isMain = kind === 'email' && (await selectMain(id, tx))?.email?.toLowerCase() === value
    const origin = { proven: ctx.session?.proven, session: ctx.session?.id }
    const afterSettling = isMain ? await settleAccount(tx, ctx, id, origin) : undefined
    // a required contact may have been added
    const refreshed = changed ? await invalidateSessions(tx, id, ctx.now()) : undefined
    return async () => {
      await afterSettling?.()
      await refreshed?.()
    }
  })
  await refreshed()
  return { contactsInfo: await contactDetails(id) }
}
