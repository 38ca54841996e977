import { isIP } from 'node:net'
import { holdsMethod, requireMethod } from '@/lib/kernel/access'
import { withImplied } from '@/lib/kernel/access-methods'
import { changing } from '@/lib/kernel/change'
import type { Ctx, CtxService } from '@/lib/kernel/ctx'
import { AppError, type FieldError } from '@/lib/kernel/errors'
import { record } from '@/lib/kernel/record/record'
import { payloadOf, recordKey } from '@/lib/oidc/records/sealed'
import { applicationEntity } from '@/lib/platform/applications/entity'
import { applicationCaches, lockApplication } from '@/lib/platform/applications/service'
import type { SetServiceMethods } from './contract'
import { findServiceToken, methodRows, replaceServiceMethods } from './queries'

type Method = Awaited<ReturnType<typeof methodRows>>[number]

/** What is held for contractors, which only people are. */
const personal = 'masterAccountAccess'

/**
 * Whose bearer token of client_credentials this is, for a call to the platform itself; null if it isn't one that holds
 * now, from this address. A token bound to a key (DPoP) or meant for another audience is none of ours.
 */
export async function serviceAccountOf(token: string, ip: string, now: Date): Promise<CtxService | null> {
  if (!/^[\w-]{32,128}$/.test(token)) return null
  const row = await findServiceToken(recordKey('ClientCredentials', token), isIP(ip) ? ip : null, now)
  if (!row) return null
  const { jkt, aud, 'x5t#S256': certificate } = payloadOf({ idHash: row.id_hash, payload: row.payload })
  if (jkt !== undefined || certificate !== undefined || aud !== undefined) return null
  return {
    applicationId: row.application_id,
    clientId: row.client_id,
    methods: withImplied(row.methods.flatMap(({ code, kind }) => (kind === 'systemic' ? [code] : []))),
    methodIds: new Set(row.methods.map(({ id }) => id)),
  }
}

/**
 * Gives an application's service account just these methods, at once: systemic ones count at the platform itself,
 * others' own in tokens for those. Needs applications.write. Throws 404, 409 applicationFixed; 400 for what is no method
 * for a service account; 403 forbiddenMethod by field for methods that the caller lacks, 403 forbiddenApplication when
 * the account holds such a one already (docs/rules/access.md#granting).
 */
export async function setServiceMethods(ctx: Ctx, { applicationId, methodIds }: SetServiceMethods) {
  requireMethod(ctx, 'applications.write')
  await changing(applicationCaches, async (tx) => {
    const { serviceMethods: before } = await lockApplication(tx, ctx, applicationId, 'itself')
    const known = new Map((await methodRows(tx, methodIds)).map((method) => [method.id, method]))
    const faulty = (code: string, isFault: (method: Method | undefined) => boolean) =>
      methodIds.flatMap((id, at): FieldError[] => (isFault(known.get(id)) ? [{ field: `methodIds.${at}`, code }] : []))
    const unknown = faulty(
      'errorMethod',
      (method) => !method || (method.kind === 'systemic' && method.code === personal),
    )
    if (unknown.length > 0) throw new AppError(400, undefined, { errorList: unknown })
    const beyond = faulty('forbiddenMethod', (method) => !method || !holdsMethod(ctx, method))
    if (beyond.length > 0) throw new AppError(403, 'forbiddenMethod', { errorList: beyond })

    const add = methodIds.filter((id) => !before.some((held) => held.id === id))
    const remove = before.filter(({ id }) => !methodIds.includes(id)).map(({ id }) => id)
    if (add.length + remove.length === 0) return
    await replaceServiceMethods(tx, applicationId, { add, remove })
    const codesOf = (methods: Iterable<Method>) => [...methods].map(({ code }) => code).sort()
    const [was, is] = [codesOf(before), codesOf(known.values())]
    await record(tx, ctx, applicationEntity, applicationId, { serviceMethods: was }, { serviceMethods: is })
  })
}
