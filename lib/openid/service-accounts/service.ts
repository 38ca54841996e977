import { isIP } from 'node:net'
import type { Transaction } from '@/db/client'
import { applicationEntity } from '@/lib/applications/applications/entity'
import { applicationCaches, lockApplication } from '@/lib/applications/applications/service'
import { withImplied } from '@/lib/base/access/access-methods'
import { audit } from '@/lib/base/audit/audit'
import { changing, requireUnchanged } from '@/lib/base/audit/change'
import type { BatchClient } from '@/lib/base/batch-jobs/client'
import { requireMethod } from '@/lib/base/context/access'
import type { Ctx, CtxService } from '@/lib/base/context/ctx'
import { platformHolder } from '@/lib/base/effective-rights/service'
import { AppError, type FieldError } from '@/lib/base/runtime/errors'
import { payloadOf, recordKey } from '../token-store/encrypted-record'
import type { UpdateServiceMethodsInput } from './contract'
import { isTokenThere, selectMethods, selectServiceClient, selectServiceToken, storeServiceMethods } from './queries'

type Method = Awaited<ReturnType<typeof selectMethods>>[number]

/** Returns whether only people can hold a method: that of managers of contractors. */
export const isPersonal = ({ kind, code }: Pick<Method, 'kind' | 'code'>) =>
  kind === 'systemic' && code === 'masterAccountAccess'

type Account = NonNullable<Awaited<ReturnType<typeof selectServiceClient>>>

const accountOf = (row: Account): CtxService => ({
  applicationId: row.application_id,
  clientId: row.client_id,
  methods: withImplied(row.methods.flatMap(({ code, kind }) => (kind === 'systemic' ? [code] : []))),
  methodIds: new Set(row.methods.map(({ id }) => id)),
})

/**
 * Returns the service account of a bearer token of client_credentials, for calls of the platform itself; null if the
 * token is not valid now and from this address. Tokens that are bound to a key (DPoP) or have an audience are not
 * accepted.
 */
export async function serviceAccountOf(token: string, ip: string, now: Date): Promise<CtxService | null> {
  if (!/^[\w-]{32,128}$/.test(token)) return null
  const row = await selectServiceToken(recordKey('ClientCredentials', token), isIP(ip) ? ip : null, now)
  if (!row) return null
  const { jkt, aud, 'x5t#S256': certificate } = payloadOf({ idHash: row.id_hash, payload: row.payload })
  if (jkt !== undefined || certificate !== undefined || aud !== undefined) return null
  return { ...accountOf(row), token: { record: row.id_hash, until: new Date(row.until) } }
}

/**
 * Returns the service account for which a batch job continues after its call, with the methods that it holds in this
 * transaction; `off` if no token of the client would be valid from the address of the call, `revoked` if the token of
 * that call was revoked before its end.
 */
export async function serviceAccountOfRun(
  tx: Transaction,
  { clientId, token, ip }: BatchClient,
  now: Date,
): Promise<CtxService | 'off' | 'revoked'> {
  const row = await selectServiceClient(tx, clientId, isIP(ip) ? ip : null)
  if (!row) return 'off'
  const until = new Date(token.until)
  if (now < until && !(await isTokenThere(tx, token.record))) return 'revoked'
  return { ...accountOf(row), token: { record: token.record, until } }
}

/**
 * Sets the methods of an application's service account, at once. Systemic methods count at the platform itself, those
 * of applications in tokens for them. Needs applications.write. Throws 404, 409 applicationFixed; 400 for methods that
 * a service account can not hold; 403 forbiddenMethod by field for methods that the caller doesn't hold platform-wide; 403
 * forbiddenApplication when the account already holds such a method (docs/rules/access.md#granting).
 */
export async function updateServiceMethods(
  ctx: Ctx,
  { applicationId, methodIds, updatedAt }: UpdateServiceMethodsInput & { updatedAt?: string | undefined },
) {
  requireMethod(ctx, 'applications.write')
  await changing(applicationCaches, async (tx) => {
    const { serviceMethods: before, ...row } = await lockApplication(tx, ctx, applicationId, 'itself')
    requireUnchanged(row, updatedAt)
    const byId = new Map((await selectMethods(tx, methodIds)).map((method) => [method.id, method]))
    const errorsFor = (code: string, isFault: (method: Method | undefined) => boolean) =>
      methodIds.flatMap((id, i): FieldError[] => (isFault(byId.get(id)) ? [{ field: `methodIds.${i}`, code }] : []))
    const unknownErrors = errorsFor('errorMethod', (method) => !method || isPersonal(method))
    if (unknownErrors.length > 0) throw new AppError(400, undefined, { errorList: unknownErrors })
    const holds = await platformHolder(tx, ctx)
    const notHeldErrors = errorsFor('forbiddenMethod', (method) => !method || !holds(method))
    if (notHeldErrors.length > 0) throw new AppError(403, 'forbiddenMethod', { errorList: notHeldErrors })

    const add = methodIds.filter((id) => !before.some((previous) => previous.id === id))
    const remove = before.filter(({ id }) => !methodIds.includes(id)).map(({ id }) => id)
    if (add.length + remove.length === 0) return
    await storeServiceMethods(tx, applicationId, { add, remove })
    const codesOf = (methods: Iterable<Method>) => [...methods].map(({ code }) => code).sort()
    const [codesBefore, codesAfter] = [codesOf(before), codesOf(byId.values())]
    await audit(
      tx,
      ctx,
      applicationEntity,
      applicationId,
      { serviceMethods: codesBefore },
      { serviceMethods: codesAfter },
    )
  })
}
