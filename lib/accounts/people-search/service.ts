import { holdsMethod, requireAnyMethod } from '@/lib/base/context/access'
import type { Ctx } from '@/lib/base/context/ctx'
import type { ServiceInput } from '@/lib/base/contracts/contract'
import type * as calls from './contract'
import { selectContacts } from './queries'

/**
 * Returns people to choose from. Needs the read method of an area whose screens offer them. Without users.read people
 * are found and shown only by their names: people sign in by login and e-mail, so the search must not confirm a guessed
 * one.
 */
export async function searchContacts(ctx: Ctx, { query }: ServiceInput<typeof calls.searchContacts>) {
  requireAnyMethod(ctx, ['users.read', 'settings.read', 'roles.read', 'authentication-schemas.read'])
  return { contacts: await selectContacts(query, holdsMethod(ctx, 'users.read')) }
}
