import { switchUserRole } from '@/lib/accounts/role-holders/of-person'
import { setUserEnabled } from '@/lib/accounts/users/enable'
import { requireMethod } from '@/lib/base/context/access'
import type { Ctx } from '@/lib/base/context/ctx'
import type { ServiceInput } from '@/lib/base/contracts/contract'
import { AppError } from '@/lib/base/runtime/errors'
import { endUserSessions } from '@/lib/sign-in/sessions-of-users/service'
import type * as calls from './contract'
import { sendEntryLink } from './service'

type Body = ServiceInput<typeof calls.bulkUsers>['body']

/** Does an action with one account, as the call for a single account does. */
async function actOn(ctx: Ctx, userId: string, { act, reason, role }: Body): Promise<unknown> {
  const params = { id: userId }
  switch (act) {
    case 'enable':
      return setUserEnabled(ctx, { userId, enabled: true })
    case 'disable':
      return setUserEnabled(ctx, { userId, enabled: false, reason })
    case 'endSessions':
      return endUserSessions(ctx, { params, query: {} })
    case 'entryLink':
      return sendEntryLink(ctx, { params })
    default: {
      const { roleId = '', organizationId = null, contractorId = null } = role ?? {}
      return switchUserRole(ctx, userId, { roleId, organizationId, contractorId }, act === 'giveRole')
    }
  }
}

/** Returns the code of an error: that of its first field, if it names one. */
const codeOf = ({ code, data }: AppError): string =>
  (data.errorList as { code: string }[] | undefined)?.[0]?.code ?? code

/**
 * Does one action with several accounts, one after the other, each in a transaction of its own: if one fails, the
 * others are still done. Needs users.write. Returns for each the code of its error, or null
 * (docs/rules/people.md#administration-of-users).
 */
export async function bulkUsers(ctx: Ctx, { body }: ServiceInput<typeof calls.bulkUsers>) {
  requireMethod(ctx, 'users.write')
  const results: { userId: string; code: string | null }[] = []
  for (const userId of new Set(body.userIds)) {
    try {
      await actOn(ctx, userId, body)
      results.push({ userId, code: null })
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      results.push({ userId, code: codeOf(error) })
    }
  }
  return { results }
}
