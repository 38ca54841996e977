import { db } from '@/db/client'
import { userEntity } from '@/lib/accounts/users/entity'
import { audit } from '@/lib/base/audit/audit'
import { requireUser } from '@/lib/base/context/access'
import type { Ctx } from '@/lib/base/context/ctx'
import type { ServiceInput } from '@/lib/base/contracts/contract'
import { nameAmong } from '@/lib/base/i18n/local-name'
import { AppError, notFound } from '@/lib/base/runtime/errors'
import { storeAgreements } from '@/lib/sign-in/agreements/service'
import type * as calls from './contract'
import { lockAgreed, selectOwnTerms, selectTitles, storeRefusal } from './queries'

/**
 * Returns the agreements of the domain's profile and those that a person has answered, each with the answer
 * (docs/rules/profile.md#own-agreements).
 */
export async function ownTerms(ctx: Ctx, userId: string) {
  const rows = await selectOwnTerms(db(), userId, ctx.domain.id)
  const titles = rows.length > 0 ? await selectTitles(rows.map(({ id }) => id)) : []
  return rows.map(({ id, code, version, loginRequired, refusedAt, agreed }) => {
    const names = titles.filter((row) => row.id === id).map(({ locale, title }) => [locale, title])
    const current = agreed?.version === version
    return {
      id,
      title: nameAmong(Object.fromEntries(names), ctx.locale, code),
      link: `/platform/law/${code}`,
      version,
      agreedVersion: agreed?.version ?? null,
      agreedAt: agreed ? new Date(agreed.at).toISOString() : null,
      refusedAt: refusedAt?.toISOString() ?? null,
      status: current ? ('received' as const) : refusedAt ? ('refused' as const) : ('notReceived' as const),
      loginRequired,
    }
  })
}

/**
 * Stores whether the person agrees to an agreement of their profile. Throws 401, 404, 403 agreementRequired for the
 * refusal of an agreement that is required for signing in, and 409 if its version isn't the one that the person has
 * read.
 */
export async function setAgreement(ctx: Ctx, { params: { id }, body }: ServiceInput<typeof calls.setAgreement>) {
  requireUser(ctx)
  const userId = ctx.user.id
  await db().transaction(async (tx) => {
    const agreedVersion = await lockAgreed(tx, userId, id)
    if (agreedVersion === undefined) throw new AppError(401)
    const term = (await selectOwnTerms(tx, userId, ctx.domain.id)).find((row) => row.id === id)
    if (!term) throw notFound()
    if (term.version !== body.version) throw new AppError(409)
    if (body.agree) {
      if (agreedVersion !== term.version) await storeAgreements(tx, ctx, userId, [{ id, version: term.version }])
      return
    }
    if (term.loginRequired) throw new AppError(403, 'agreementRequired')
    await storeRefusal(tx, userId, id, ctx.now())
    const answer = (version: number | null): Record<`agreement:${string}`, number | null> => ({
      [`agreement:${id}`]: version,
    })
    await audit(tx, ctx, userEntity, userId, answer(agreedVersion), answer(null))
  })
  return {}
}
