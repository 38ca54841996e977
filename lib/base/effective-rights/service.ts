import type { Database, Transaction } from '@/db/client'
import { withImplied } from '../access/access-methods'
import { type Method, methodsHeld } from '../context/access'
import type { Ctx } from '../context/ctx'
import { selectIsAdministrator, selectPlatformHolders, selectPlatformMethods, selectRoleMethods } from './queries'

const codesOf = (methods: readonly Method[]) =>
  withImplied(methods.flatMap(({ kind, code }) => (kind === 'systemic' ? [code] : [])))

type EffectiveMethods = { codes: ReadonlySet<string>; ids: ReadonlySet<string>; userId: string | null }

/**
 * Returns the methods that both hold: the account for which a batch job acts, and the person or program that supplied
 * its values. An administrator may give methods of applications without holding them, so if one of the two is an
 * administrator, the methods of the other one are returned.
 */
async function intersectionWith(
  tx: Database | Transaction,
  callerMethods: EffectiveMethods,
  holderId: string,
): Promise<EffectiveMethods> {
  const holderMethods = await selectPlatformMethods(tx, holderId)
  if (holderMethods.length > 0 && (await selectIsAdministrator(tx, holderId))) return callerMethods
  const [codes, ids] = [codesOf(holderMethods), new Set(holderMethods.map(({ id }) => id))]
  if (callerMethods.userId && (await selectIsAdministrator(tx, callerMethods.userId)))
    return { codes, ids, userId: null }
  const intersection = (first: ReadonlySet<string>, second: ReadonlySet<string>) =>
    new Set([...first].filter((item) => second.has(item)))
  return { codes: intersection(codes, callerMethods.codes), ids: intersection(ids, callerMethods.ids), userId: null }
}

/**
 * Returns the effective methods of the caller, a person or a service account: for the whole platform, or also for one
 * contractor. Methods that a person has only for other contractors don't count: otherwise a manager of one contractor
 * could become a manager of all (docs/rules/access.md#granting). In a batch job only those methods count that the
 * person or program that supplied its values holds too.
 */
export async function effectiveMethods(
  tx: Database | Transaction,
  ctx: Ctx,
  contractorId: string | null = null,
): Promise<EffectiveMethods> {
  const methods = await methodsOfCaller(tx, ctx, contractorId)
  return ctx.user?.within ? intersectionWith(tx, methods, ctx.user.within) : methods
}

async function methodsOfCaller(
  tx: Database | Transaction,
  ctx: Ctx,
  contractorId: string | null,
): Promise<EffectiveMethods> {
  const sessionMethods = { ...methodsHeld(ctx), userId: ctx.user?.id ?? null }
  if (!sessionMethods.userId) return sessionMethods
  const roleMethods = await selectRoleMethods(tx, sessionMethods.userId, contractorId)
  const uncounted = roleMethods.filter(({ counts }) => !counts)
  if (uncounted.length === 0) return sessionMethods
  const countedCodes = codesOf(roleMethods.filter(({ counts }) => counts))
  const lostCodes = new Set([...codesOf(uncounted)].filter((code) => !countedCodes.has(code)))
  const lostIds = new Set(uncounted.map(({ id }) => id))
  return {
    ...sessionMethods,
    codes: new Set([...sessionMethods.codes].filter((code) => !lostCodes.has(code))),
    ids: new Set([...sessionMethods.ids].filter((id) => !lostIds.has(id))),
  }
}

/**
 * Returns the effective methods, for the whole platform, of a person who isn't the caller. For the caller use
 * `effectiveMethods`, which reads them from the session.
 */
export async function platformMethodsOf(tx: Database | Transaction, userId: string) {
  const counted = (await selectRoleMethods(tx, userId, null)).filter(({ counts }) => counts)
  return { codes: codesOf(counted), ids: new Set(counted.map(({ id }) => id)), userId }
}

/** Returns the codes of the systemic methods that a person or an application holds for the whole platform. */
export const methodCodesOf = async (tx: Database | Transaction, holderId: string) =>
  codesOf(await selectPlatformMethods(tx, holderId))

/** Returns a function that tells whether the caller holds a stored method for the whole platform. */
export async function platformHolder(tx: Database | Transaction, ctx: Ctx): Promise<(method: Method) => boolean> {
  const { codes, ids } = await effectiveMethods(tx, ctx)
  return ({ id, code, kind }) => (kind === 'systemic' ? codes.has(code) : ids.has(id))
}

/**
 * Returns whether the caller is an administrator: a person for whom the role is in effect, or a command in the shell of
 * the server. A program never is one, nor a batch job with values that somebody else supplied
 * (docs/rules/access.md#administrators-alone).
 */
export async function isAdministrator(tx: Database | Transaction, { user, service }: Ctx): Promise<boolean> {
  if (service) return service.shell === true
  return user !== null && !user.within && selectIsAdministrator(tx, user.id)
}

/** Returns those of these people who have a role with a systemic method, in effect or not. */
export const platformHolders = (tx: Database | Transaction, userIds: readonly string[]): Promise<Set<string>> =>
  selectPlatformHolders(tx, userIds)
