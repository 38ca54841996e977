import type { Database, Transaction } from '@/db/client'
import { withImplied } from '../access/access-methods'
import { type Method, methodsHeld } from '../context/access'
import type { Ctx } from '../context/ctx'
import { selectAdministers, selectHeldBy, selectPlatformHolders, selectReach } from './queries'

const codesOf = (methods: readonly Method[]) =>
  withImplied(methods.flatMap(({ kind, code }) => (kind === 'systemic' ? [code] : [])))

type Held = { codes: ReadonlySet<string>; ids: ReadonlySet<string>; userId: string | null }

/**
 * Returns what both hold: whoever a run acts as, and who set up what it works with. An administrator may grant methods of
 * applications without holding them, so beside one it is all that the other holds.
 */
async function heldByBoth(run: Database | Transaction, held: Held, who: string): Promise<Held> {
  const theirs = await selectHeldBy(run, who)
  if (theirs.length > 0 && (await selectAdministers(run, who))) return held
  const [codes, ids] = [codesOf(theirs), new Set(theirs.map(({ id }) => id))]
  if (held.userId && (await selectAdministers(run, held.userId))) return { codes, ids, userId: null }
  const both = (one: ReadonlySet<string>, other: ReadonlySet<string>) => new Set([...one].filter((it) => other.has(it)))
  return { codes: both(codes, held.codes), ids: both(ids, held.ids), userId: null }
}

/**
 * Returns what the caller, a person or a service account, holds for the whole platform, or also for one contractor. What
 * a person holds for other contractors only doesn't count: otherwise somebody who manages one contractor could make
 * themselves a manager of all (docs/rules/access.md#granting). In a run it is no more than whoever set it up holds.
 */
export async function effectiveMethods(
  run: Database | Transaction,
  ctx: Ctx,
  contractorId: string | null = null,
): Promise<Held> {
  const held = await ownReach(run, ctx, contractorId)
  return ctx.user?.within ? heldByBoth(run, held, ctx.user.within) : held
}

async function ownReach(run: Database | Transaction, ctx: Ctx, contractorId: string | null): Promise<Held> {
  const held = { ...methodsHeld(ctx), userId: ctx.user?.id ?? null }
  if (!held.userId) return held
  const own = await selectReach(run, held.userId, contractorId)
  const lacking = own.filter(({ counts }) => !counts)
  if (lacking.length === 0) return held
  const kept = codesOf(own.filter(({ counts }) => counts))
  const lost = new Set([...codesOf(lacking)].filter((code) => !kept.has(code)))
  const lostIds = new Set(lacking.map(({ id }) => id))
  return {
    ...held,
    codes: new Set([...held.codes].filter((code) => !lost.has(code))),
    ids: new Set([...held.ids].filter((id) => !lostIds.has(id))),
  }
}

/**
 * Returns what the roles of somebody who isn't the caller give them for the whole platform: the caller of `effectiveMethods`
 * has a session that knows.
 */
export async function platformMethodsOf(run: Database | Transaction, userId: string) {
  const counted = (await selectReach(run, userId, null)).filter(({ counts }) => counts)
  return { codes: codesOf(counted), ids: new Set(counted.map(({ id }) => id)), userId }
}

/** Returns the codes of the systemic methods that a person or an application holds for the whole platform. */
export const methodCodesOf = async (run: Database | Transaction, who: string) => codesOf(await selectHeldBy(run, who))

/** Returns a test for a stored method: does the caller hold it for the whole platform? */
export async function platformHolder(run: Database | Transaction, ctx: Ctx): Promise<(method: Method) => boolean> {
  const { codes, ids } = await effectiveMethods(run, ctx)
  return ({ id, code, kind }) => (kind === 'systemic' ? codes.has(code) : ids.has(id))
}

/**
 * Returns whether the caller is an administrator: a person for whom the role is in effect, or a command in the shell of
 * the server. A program never is one, nor a run with what somebody else has set up (docs/rules/access.md#administrators-alone).
 */
export async function isAdministrator(run: Database | Transaction, { user, service }: Ctx): Promise<boolean> {
  if (service) return service.shell === true
  return user !== null && !user.within && selectAdministers(run, user.id)
}

/** Returns which of these people have a role with a method of the platform, in effect or not. */
export const platformHolders = (run: Database | Transaction, userIds: readonly string[]): Promise<Set<string>> =>
  selectPlatformHolders(run, userIds)
