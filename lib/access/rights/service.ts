import type { Database, Transaction } from '@/db/client'
import type { Method } from '@/lib/base/context/access'
import type { Ctx } from '@/lib/base/context/ctx'
import { effectiveMethods, platformMethodsOf } from '@/lib/base/effective-rights/service'
import { emit } from '@/lib/base/events/events'
import { AppError } from '@/lib/base/runtime/errors'
import { schemaFor } from '../authentication-schemas/choice'
import { isWeaker } from '../authentication-schemas/factors'
import { schemasIn } from '../authentication-schemas/service'
import {
  type HeldThere,
  type Rights,
  selectChoice,
  selectChoicesBeyond,
  selectChoicesWithout,
  selectEmailsBeyond,
  selectMethodsBeyond,
  selectNamed,
  selectPeopleBeyond,
  selectPeopleConcerned,
  type Whose,
} from './queries'

type Run = Database | Transaction
export type Refusal = 'forbiddenRole' | 'forbiddenOrganization' | 'forbiddenContractor' | 'forbiddenUser'

/**
 * Up to how many people concerned each is told of a change. Beyond that everybody's sessions are read anew, and nobody
 * gets a notice.
 */
export const notifiedAtMost = 1_000

/** What the caller may give and take, and who they are if a person: of one contractor also what they hold for it. */
function heldBy(run: Run, ctx: Ctx, rights: Rights) {
  const one = 'contractor' in rights && rights.contractor ? [rights.contractor] : []
  const [only, ...more] = 'contractors' in rights ? rights.contractors : one
  return effectiveMethods(run, ctx, only && more.length === 0 ? only : null)
}

/**
 * Returns methods that this would give or take and that the caller may not grant, those of the platform first, so many
 * at most (docs/rules/access.md#granting).
 */
export const methodsNotHeld = async (run: Run, ctx: Ctx, rights: Rights, limit = 50): Promise<Method[]> =>
  selectMethodsBeyond(run, rights, await heldBy(run, ctx, rights), limit)

/**
 * Returns those of these people whose accounts the caller may not change, because they have a method that the caller
 * lacks, or may come to it: by a role without effect now, or by an open invitation (docs/rules/access.md#granting).
 */
export const peopleWithMore = async (run: Run, ctx: Ctx, userIds: readonly string[]): Promise<Set<string>> =>
  userIds.length > 0 ? selectPeopleBeyond(run, userIds, await effectiveMethods(run, ctx), ctx.now()) : new Set()

/** Throws 403 forbiddenUser if the caller may not change one of these accounts, as `peopleWithMore` says. */
export async function requireChangeable(run: Run, ctx: Ctx, userIds: readonly string[]): Promise<void> {
  if ((await peopleWithMore(run, ctx, userIds)).size > 0) throw new AppError(403, 'forbiddenUser')
}

/**
 * Returns those of these e-mails (lower case) that the caller may give no account, because an open invitation to them
 * gives a method that the caller lacks. To somebody who signs in for the first time, and is nobody yet, none is refused.
 */
export const emailsInvitedToMore = async (run: Run, ctx: Ctx, emails: readonly string[]): Promise<Set<string>> =>
  emails.length > 0 && (ctx.user || ctx.service)
    ? selectEmailsBeyond(run, emails, await effectiveMethods(run, ctx), ctx.now())
    : new Set()

/**
 * Returns by what schemas of sign-in are chosen for those whom the caller may not change: their own schema, and which of
 * these roles they have. People who are alike come once.
 */
export const choicesOfPeopleWithMore = async (run: Run, ctx: Ctx, roleIds: readonly string[]) =>
  selectChoicesBeyond(run, roleIds, await effectiveMethods(run, ctx), ctx.now())

/**
 * Returns whether these people, if they lost the roles that they hold there, would be as hard to pass for as before: those
 * whom the caller may not change never get in by less (docs/rules/sign-in.md#changes-of-schemas).
 */
export async function keepsProofs(run: Run, ctx: Ctx, people: readonly string[], lost: HeldThere): Promise<boolean> {
  const beyond = await peopleWithMore(run, ctx, people)
  if (beyond.size === 0) return true
  const [schemas, choices] = [await schemasIn(run), await selectChoicesWithout(run, [...beyond], lost)]
  return choices.every(
    ({ own, roles, left }) => !isWeaker(schemaFor(schemas, own, roles), schemaFor(schemas, own, left)),
  )
}

/**
 * Returns whether a person who gets these roles from somebody is as hard to pass for as before, if they have a method that
 * the giver lacks, or may come to it: a role may bring a schema of sign-in (docs/rules/access.md#letting-in-who-holds-more).
 */
export async function keepsProofsWith(
  run: Run,
  { giverId, userId, now }: { giverId: string; userId: string; now: Date },
  given: readonly string[],
): Promise<boolean> {
  const held = await platformMethodsOf(run, giverId)
  if ((await selectPeopleBeyond(run, [userId], held, now)).size === 0) return true
  const [schemas, choice] = [await schemasIn(run), await selectChoice(run, userId)]
  if (!choice) return true
  const { own, roles } = choice
  return !isWeaker(schemaFor(schemas, own, roles), schemaFor(schemas, own, [...roles, ...given]))
}

/**
 * Requires that the caller, a person or a service account, may grant every method that a change gives or takes:
 * methods, those of roles, what people hold in organizations or for contractors, or what the people themselves hold.
 * Throws 403 with this code (docs/rules/access.md#granting).
 */
export async function requireAssignable(tx: Run, ctx: Ctx, rights: Rights, code: Refusal): Promise<void> {
  if ((await methodsNotHeld(tx, ctx, rights, 1)).length > 0) throw new AppError(403, code)
}

/**
 * Makes every process read anew, as soon as the transaction commits, what these people may do: the holders of a role,
 * the people of an organization or of a contractor, or some people. Call it after the change, which must have locked
 * the role, organization or contractor `for update`, so that nobody gets a role there meanwhile. `switched` is set if it
 * was switched on or off: then they get a notice, unless they are too many to name. Call the returned function after the
 * commit.
 */
export async function refreshRights(
  tx: Transaction,
  ctx: Ctx,
  whose: Whose,
  switched?: boolean,
): Promise<() => Promise<void>> {
  const userIds = await selectPeopleConcerned(tx, whose, notifiedAtMost)
  const refreshed = await emit(tx, ctx, 'rightsChanged', { userIds })
  if (switched === undefined || 'people' in whose) return refreshed
  const others = (userIds ?? []).filter((userId) => userId !== ctx.user?.id)
  const named = others.length > 0 ? await selectNamed(tx, whose) : null
  if (!named) return refreshed
  const heard = await emit(tx, ctx, 'accessSwitched', { ...named, enabled: switched, userIds: others })
  return async () => {
    await refreshed()
    await heard()
  }
}
