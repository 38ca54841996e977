import { db } from '@/db/client'
import { mapped, syncChecker } from '@/lib/entry/provider-sync/values'
import { createIn } from '@/lib/entry/user-accounts/write'
import type { Ctx } from '@/lib/kernel/ctx'
import { AppError } from '@/lib/kernel/errors'
import { peopleFields } from '@/lib/people/fields/service'
import { holdUniqueness } from '@/lib/people/fields/unique'
import type { ProviderRow } from '@/lib/people/providers/service'
import type { Identity } from './identity'
import { holdEnabled, lockPerson, selectBaseMappers, selectProvenAccount } from './queries'
import { ProviderRefused } from './refusal'

/** Codes of faults that say that somebody else has an identifier. */
const taken = ['errorUnique', 'errorEmailOfDirectory']

/** Why an account can't be made of what a provider says. */
function refusalOf(error: unknown): unknown {
  if (!(error instanceof AppError) || (error.status !== 400 && error.status !== 409)) return error
  const faults = error.data.errorList ?? []
  const reason = faults.map(({ field, code }) => `${field} ${code}`).join(', ')
  const known = error.status === 409 || faults.some(({ code }) => taken.includes(code))
  return new ProviderRefused(known ? 'taken' : 'data', reason)
}

/**
 * Returns the account of somebody whom a provider has proven: by the external id, never by e-mail. Who has none gets one
 * from an OpenID provider, with what its mappers fill and the role of `defaultUserRole`; people of a directory come by
 * its synchronization alone. Throws ProviderRefused (docs/rules/providers.md#first-sign-in).
 */
export async function accountFor(ctx: Ctx, provider: ProviderRow, identity: Identity): Promise<string> {
  const { subject } = identity
  const known = await selectProvenAccount(db(), provider.id, subject)
  if (known) return known
  if (provider.type !== 'oidc') throw new ProviderRefused('stranger')
  const [person, mappers, fields] = await Promise.all([
    identity.person(),
    selectBaseMappers(provider.id),
    peopleFields(),
  ])
  // whoever is signed in in this browser has nothing to do with it
  const nobody: Ctx = { ...ctx, user: null, session: null }
  const check = await syncChecker(nobody)
  try {
    return await db().transaction(async (tx) => {
      if (!(await holdEnabled(tx, provider.id))) throw new ProviderRefused('off')
      await holdUniqueness(tx)
      await lockPerson(tx, provider.id, subject)
      const meanwhile = await selectProvenAccount(tx, provider.id, subject)
      if (meanwhile) return meanwhile
      const change = check(mapped(person, mappers, fields).values, null)
      return createIn(tx, nobody, change, { externalId: subject, providerId: provider.id })
    })
  } catch (error) {
    throw refusalOf(error)
  }
}
