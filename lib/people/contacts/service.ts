import { holdsMethod, requireAnyMethod } from '@/lib/kernel/access'
import type { Ctx } from '@/lib/kernel/ctx'
import type { VerbInput } from '@/lib/kernel/http/contract'
import type * as calls from './contract'
import { selectContacts } from './queries'

/**
 * Returns people to choose from. Needs the read method of an area whose screens offer them. Without users.read nobody is
 * found or called by the login, because people sign in by it, and an e-mail is shown only to who has typed the whole of it.
 */
export async function searchContacts(ctx: Ctx, { query }: VerbInput<typeof calls.searchContacts>) {
  requireAnyMethod(ctx, ['users.read', 'settings.read', 'roles.read', 'authentication-schemas.read'])
  return { contacts: await selectContacts(query, holdsMethod(ctx, 'users.read')) }
}
