import { db } from '@/db/client'
import { enterPersonCode, sendPersonCode } from '@/lib/entry/codes/person-code'
import { requireUser } from '@/lib/kernel/access'
import type { Ctx } from '@/lib/kernel/ctx'
import { AppError, notFound } from '@/lib/kernel/errors'
import type { VerbInput } from '@/lib/kernel/http/contract'
import { lockOwnAccount } from '@/lib/people/users/own'
import { isOwnAccountEditable } from '@/lib/people/users/service'
import { storeProven } from './changes'
import type * as calls from './contract'
import type { ContactKind, ContactsInfo } from './contract'
import { contactsOf, normalized } from './list'
import { selectContactRows, selectMain } from './queries'

/** Returns a person's e-mails and mobiles. Throws 404 for an unknown person. */
export async function contactDetails(userId: string): Promise<ContactsInfo> {
  const [main, rows] = await Promise.all([selectMain(userId), selectContactRows(db(), userId)])
  if (!main) throw notFound()
  return contactsOf(main, rows)
}

/** A contact as it was typed, with its fault at the field `value`. */
function typedValue(kind: ContactKind, value: string): string {
  try {
    return normalized(kind, value)
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    const errorList = error.data.errorList?.map((fault) => ({ ...fault, field: 'value' })) ?? []
    throw new AppError(400, undefined, { errorList })
  }
}

async function requireEditable(userId: string) {
  if (!(await isOwnAccountEditable(userId))) throw new AppError(403, 'profileReadOnly')
}

/**
 * Sends a code to a contact that the signed-in person wants to prove. Whose it is, is looked up only after the right
 * code. Throws 401, 400 errorEmail or errorMobile, 403 profileReadOnly, 429, 503.
 */
export async function requestContactCode(ctx: Ctx, { body }: VerbInput<typeof calls.requestContactCode>) {
  requireUser(ctx)
  const to = typedValue(body.kind, body.value)
  await requireEditable(ctx.user.id)
  return sendPersonCode(ctx, { purpose: 'contact', kind: body.kind, to })
}

/**
 * Proves a contact by its code, adds it, and with `main` makes it the main one. Throws 401, 400 with the fault of the
 * code, 400 errorEmailRegistered or errorMobileRegistered if the wanted main contact is another account's, 403, 429.
 */
export async function verifyContact(ctx: Ctx, { body }: VerbInput<typeof calls.verifyContact>) {
  requireUser(ctx)
  const { id } = ctx.user
  const { kind, code, main } = body
  const value = typedValue(kind, body.value)
  await requireEditable(id)
  await enterPersonCode(ctx, { purpose: 'contact', kind, to: value }, code)
  await db().transaction(async (tx) => storeProven(tx, ctx, await lockOwnAccount(tx, id), { kind, value, main }))
  return { contactsInfo: await contactDetails(id) }
}
