import type { Transaction } from '@/db/client'
import { userEntity } from '@/lib/accounts/users/entity'
import { audit } from '@/lib/base/audit/audit'
import type { Ctx } from '@/lib/base/context/ctx'
import { AppError, type FieldError, type TermsRequired } from '@/lib/base/runtime/errors'
import { projectInfo } from '@/lib/site/project-info/service'
import { insertAgreements } from './queries'

export type TermsAnswer = { type: string; agree: boolean; version: number }

/** Returns the agreements that this domain requires at sign-in, except those whose current version is in `agreed`. */
export async function pendingAgreements(
  ctx: Pick<Ctx, 'domain' | 'locale'>,
  agreed: readonly { documentId: string; version: number }[],
): Promise<TermsRequired[]> {
  const { options } = await projectInfo(ctx.domain)
  const required = (options[ctx.locale]?.lawInfo.termsInfo ?? []).filter(({ loginRequired }) => loginRequired)
  return required
    .filter(({ id, version }) => !agreed.some((row) => row.documentId === id && row.version === version))
    .map(({ id, version, title, linkTitle, link }) => ({ id, version, title, linkTitle, link }))
}

/**
 * Checks the answers against the pending agreements. Returns the agreements to store. Throws 403 termsRequired with the
 * whole list if an answer is missing, negative, or about an old version.
 */
export function requireAgreement(pending: TermsRequired[], answers: TermsAnswer[] = []): TermsRequired[] {
  const agreed = (term: TermsRequired) =>
    answers.some(({ type, agree, version }) => type === term.id && agree && version === term.version)
  if (!pending.every(agreed)) {
    const errorList = pending
      .filter((term) => !agreed(term))
      .map(({ id }) => ({ field: `termsAgree.${id}`, code: 'errorEmpty' }))
    throw new AppError(403, 'termsRequired', { termsRequired: pending, errorList })
  }
  return pending
}

/**
 * Returns the agreements to store. Throws all faults of a form at once: 400 with the faulty fields and the missing
 * agreements; 403 termsRequired if only agreements are missing.
 */
export function requireFaultless(
  errorList: FieldError[],
  pending: TermsRequired[],
  answers: TermsAnswer[] | undefined,
): TermsRequired[] {
  try {
    const agreed = requireAgreement(pending, answers)
    if (errorList.length > 0) throw new AppError(400, undefined, { errorList })
    return agreed
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'termsRequired' || errorList.length === 0) throw error
    throw new AppError(400, undefined, { ...error.data, errorList: [...errorList, ...(error.data.errorList ?? [])] })
  }
}

/** Stores agreements and records an audit event of them. */
export async function storeAgreements(
  tx: Transaction,
  ctx: Ctx,
  userId: string,
  terms: Pick<TermsRequired, 'id' | 'version'>[],
) {
  if (terms.length === 0) return
  const agreedAt = ctx.now()
  await insertAgreements(
    tx,
    userId,
    terms.map(({ id, version }) => ({ userId, documentId: id, version, agreedAt, ip: ctx.ip })),
  )
  type Agreed = Record<`agreement:${string}`, number | null>
  const agreed = (versionFor: (version: number) => number | null): Agreed =>
    Object.fromEntries(terms.map(({ id, version }) => [`agreement:${id}`, versionFor(version)]))
  const [before, after] = [agreed(() => null), agreed((version) => version)]
  await audit(tx, ctx, userEntity, userId, before, after, { changerId: userId })
}
