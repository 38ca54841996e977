import { db, type Transaction } from '@/db/client'
import { refreshSessions } from '@/lib/entry/sessions/service'
import { requireUser } from '@/lib/kernel/access'
import type { Ctx } from '@/lib/kernel/ctx'
import { fieldError } from '@/lib/kernel/errors'
import type { VerbInput } from '@/lib/kernel/http/contract'
import type * as calls from './contract'
import { selectUserSettings, storeUserSettings } from './queries'

/** Returns the signed-in person's own settings; null for those that they haven't chosen. Throws 401. */
export async function getUserSettings(ctx: Ctx) {
  requireUser(ctx)
  const row = await selectUserSettings(ctx.user.id)
  const { lang = null, navMini = null, pagination = null, cookie = null } = row ?? {}
  return { settings: { lang, navMini, pagination, cookie } }
}

/** Stores the given settings; returns all of them. Throws 401, and 400 for a language that the domain doesn't have. */
export async function patchUserSettings(ctx: Ctx, { body: { settings } }: VerbInput<typeof calls.patchUserSettings>) {
  requireUser(ctx)
  if (settings.lang !== undefined && !ctx.domain.locales.includes(settings.lang))
    throw fieldError('settings.lang', 'errorLocale')
  const { id } = ctx.user
  const refresh = await db().transaction(async (tx) => {
    await storeUserSettings(tx, id, settings)
    return refreshSessions(tx, id, ctx.now())
  })
  await refresh()
  return getUserSettings(ctx)
}

/** Makes a language the person's own, for pages in a new browser and for mails. */
export const storeLanguage = (tx: Transaction, userId: string, lang: string) => storeUserSettings(tx, userId, { lang })
