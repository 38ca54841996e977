import { callerId, requireMethod } from '@/lib/base/context/access'
import type { Ctx } from '@/lib/base/context/ctx'
import type { ServiceInput, ServiceOutput } from '@/lib/base/contracts/contract'
import { IdAttribute } from '../attempts/contract'
import { normalizeIdentifier } from '../attempts/identifier'
import { digestOf } from '../log/record'
import type * as calls from './contract'
import type { SignIn } from './contract'
import { deleteSignInsBefore, selectSignIns, type Typed } from './queries'
import { reasonWords } from './reasons'

/** Returns the text as each kind of identifier that it can be, normalized. */
const identifiersOf = (text: string): Typed[] =>
  IdAttribute.options.flatMap((kind) => {
    try {
      const value = normalizeIdentifier(kind, text)
      return [{ kind, value, digest: digestOf(kind, value) }]
    } catch {
      return []
    }
  })

type Words = Awaited<ReturnType<typeof reasonWords>>
type Row = Awaited<ReturnType<typeof selectSignIns>>['rows'][number]

function signInOf(row: Row, words: Words): SignIn {
  const { userId, userName, applicationId, applicationName, applicationNameEn, browser, system, deviceType } = row
  return {
    id: row.id,
    date: row.at.toISOString(),
    success: row.cause === null,
    cause: row.cause as SignIn['cause'],
    reason: row.reason,
    reasonText: row.reason === null ? null : words(row.reason, row.cause as SignIn['cause']),
    flows: row.flows as SignIn['flows'],
    idAttribute: row.idAttribute as SignIn['idAttribute'],
    mask: row.mask,
    provider: row.providerId ? { id: row.providerId, name: row.providerName } : null,
    user: userId ? { id: userId, name: userName } : null,
    application: applicationId ? { id: applicationId, name: applicationName ?? '', nameEn: applicationNameEn } : null,
    ip: row.ip,
    device: { browser, system, type: deviceType },
  }
}

/** Returns one page of the sign-in log (docs/rules/sign-in.md#sign-in-log). Needs users.read. */
export async function listSignIns(
  ctx: Ctx,
  { query }: ServiceInput<typeof calls.listSignIns>,
): Promise<ServiceOutput<typeof calls.listSignIns>> {
  requireMethod(ctx, 'users.read')
  const { rows, meta } = await selectSignIns(query, {
    typed: identifiersOf(query.filter.search ?? ''),
    timeZone: ctx.timeZone,
    caller: callerId(ctx),
    pageSize: ctx.user?.pagination ?? null,
  })
  const words = await reasonWords(ctx.locale)
  return { signIns: rows.map((row) => signInOf(row, words)), meta }
}

/** Deletes rows of the sign-in log from before `before`. */
export const tidySignInLog = (before: Date): Promise<void> => deleteSignInsBefore(before)
