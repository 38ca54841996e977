import { db } from '@/db/client'
import { refreshSessions } from '@/lib/entry/sessions/service'
import { requireUser } from '@/lib/kernel/access'
import type { Ctx } from '@/lib/kernel/ctx'
import { fieldError } from '@/lib/kernel/errors'
import type { VerbInput } from '@/lib/kernel/http/contract'
import type { patchUserSettings } from './contract'
import { findUserSettings, storeUserSettings } from './queries'

/** The signed-in person's own settings; `null` where they chose nothing. */
export async function userSettings(ctx: Ctx) {
  requireUser(ctx)
  const row = await findUserSettings(ctx.user.id)
  const { lang = null, navMini = null, pagination = null, cookie = null } = row ?? {}
  return { settings: { lang, navMini, pagination, cookie } }
}

/** Stores the given ones. Throws 400 for a language that the domain doesn't speak. */
export async function changeUserSettings(ctx: Ctx, { body: { settings } }: VerbInput<typeof patchUserSettings>) {
  requireUser(ctx)
  if (settings.lang !== undefined && !ctx.domain.locales.includes(settings.lang))
    throw fieldError('settings.lang', 'errorLocale')
  const { id } = ctx.user
  const refresh = await db().transaction(async (tx) => {
    await storeUserSettings(tx, id, settings)
    return refreshSessions(tx, id, ctx.now())
  })
  await refresh()
  return userSettings(ctx)
}
