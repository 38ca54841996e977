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
  type Group,
  type PlacedRoles,
  type Rights,
  selectChoice,
  selectChoicesOfPeopleWithMore,
  selectChoicesWithoutRoles,
  selectEmailsInvitedToMore,
  selectMethodsNotHeld,
  selectNames,
  selectPeopleConcerned,
  selectPeopleWithMore,
} from './queries'

type Run = Database | Transaction
export type Refusal = 'forbiddenRole' | 'forbiddenOrganization' | 'forbiddenContractor' | 'forbiddenUser'

/**
 * The most people concerned by a change who each get a notification. If there are more, the sessions of all people are
 * read anew, and nobody gets a notification.
 */
export const notifiedAtMost = 1_000

/**
 * Returns the effective methods of the caller: for the platform and, if the change is about one contractor, for that
 * contractor.
 */
function effectiveMethodsFor(run: Run, ctx: Ctx, rights: Rights) {
  const contractorIds = 'contractor' in rights && rights.contractor ? [rights.contractor] : []
  const [contractor, ...otherContractors] = 'contractors' in rights ? rights.contractors : contractorIds
  return effectiveMethods(run, ctx, contractor && otherContractors.length === 0 ? contractor : null)
}

/**
 * Returns at most `limit` methods that this change would give or take and that the caller may not grant, those of the
 * platform first (docs/rules/access.md#granting).
 */
export const methodsNotHeld = async (run: Run, ctx: Ctx, rights: Rights, limit = 50): Promise<Method[]> =>
  selectMethodsNotHeld(run, rights, await effectiveMethodsFor(run, ctx, rights), limit)

/**
 * Returns those of these people whose accounts the caller may not change, because they have a method that the caller
 * lacks, or may get one: by a role that isn't in effect now, or by an open invitation (docs/rules/access.md#granting).
 */
export const peopleWithMore = async (run: Run, ctx: Ctx, userIds: readonly string[]): Promise<Set<string>> =>
  userIds.length > 0 ? selectPeopleWithMore(run, userIds, await effectiveMethods(run, ctx), ctx.now()) : new Set()

/** Throws 403 forbiddenUser if the caller may not change one of these accounts, as `peopleWithMore` says. */
export async function requireChangeable(run: Run, ctx: Ctx, userIds: readonly string[]): Promise<void> {
  if ((await peopleWithMore(run, ctx, userIds)).size > 0) throw new AppError(403, 'forbiddenUser')
}

/**
 * Returns those of these e-mails (lower case) to which the caller may not give an account, because an open invitation
 * to them gives a method that the caller lacks. Returns none for a caller who signs in for the first time and has no
 * account yet.
 */
export const emailsInvitedToMore = async (run: Run, ctx: Ctx, emails: readonly string[]): Promise<Set<string>> =>
  emails.length > 0 && (ctx.user || ctx.service)
    ? selectEmailsInvitedToMore(run, emails, await effectiveMethods(run, ctx), ctx.now())
    : new Set()

/**
 * Returns, for the people whom the caller may not change, what chooses their schema: their own schema, and those of
 * these roles that they have. Equal rows come once.
 */
export const choicesOfPeopleWithMore = async (run: Run, ctx: Ctx, roleIds: readonly string[]) =>
  selectChoicesOfPeopleWithMore(run, roleIds, await effectiveMethods(run, ctx), ctx.now())

/**
 * Returns whether the schemas of these people would be as strong as before without the roles that they hold there. Only
 * the people count whom the caller may not change (docs/rules/sign-in.md#changes-of-schemas).
 */
export async function staysAsStrongWithout(
  run: Run,
  ctx: Ctx,
  people: readonly string[],
  removedRoles: PlacedRoles,
): Promise<boolean> {
  const peopleWithMoreIds = await peopleWithMore(run, ctx, people)
  if (peopleWithMoreIds.size === 0) return true
  const [schemas, choices] = [
    await schemasIn(run),
    await selectChoicesWithoutRoles(run, [...peopleWithMoreIds], removedRoles),
  ]
  return choices.every(
    ({ own: ownSchema, roles, left: remainingRoles }) =>
      !isWeaker(schemaFor(schemas, ownSchema, roles), schemaFor(schemas, ownSchema, remainingRoles)),
  )
}

/**
 * Returns whether a person's schema is as strong as before after they get these roles, because a role may bring another
 * schema. False only for a person who has, or may get, a method that the giver lacks
 * (docs/rules/access.md#letting-in-who-holds-more).
 */
export async function staysAsStrongWith(
  run: Run,
  { giverId, userId, now }: { giverId: string; userId: string; now: Date },
  givenRoles: readonly string[],
): Promise<boolean> {
  const giverMethods = await platformMethodsOf(run, giverId)
  if ((await selectPeopleWithMore(run, [userId], giverMethods, now)).size === 0) return true
  const [schemas, choice] = [await schemasIn(run), await selectChoice(run, userId)]
  if (!choice) return true
  const { own: ownSchema, roles } = choice
  return !isWeaker(schemaFor(schemas, ownSchema, roles), schemaFor(schemas, ownSchema, [...roles, ...givenRoles]))
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
 * Makes every process read anew what these people may do, as soon as the transaction commits. Call it after the change,
 * which must have locked the role, organization or contractor `for update`, so that nobody gets a role there until
 * then. `switched` is set if the role, organization or contractor was switched on or off: then the people get a
 * notification, unless there are too many of them. Call the returned function after the commit.
 */
export async function refreshRights(
  tx: Transaction,
  ctx: Ctx,
  concerned: Group,
  switched?: boolean,
): Promise<() => Promise<void>> {
  const userIds = await selectPeopleConcerned(tx, concerned, notifiedAtMost)
  const refreshSessions = await emit(tx, ctx, 'rightsChanged', { userIds })
  if (switched === undefined || 'people' in concerned) return refreshSessions
  const otherIds = (userIds ?? []).filter((userId) => userId !== ctx.user?.id)
  const names = otherIds.length > 0 ? await selectNames(tx, concerned) : null
  if (!names) return refreshSessions
  const sendNotifications = await emit(tx, ctx, 'accessSwitched', { ...names, enabled: switched, userIds: otherIds })
  return async () => {
    await refreshSessions()
    await sendNotifications()
  }
}
