import { requireUser } from '@/lib/kernel/access'
import type { Ctx } from '@/lib/kernel/ctx'
import { initialsOf } from '@/lib/people/users/initials'
import { accountState } from '@/lib/people/users/service'

/** Who is signed in, what their account lacks and what it may do. A directory's account keeps its password there. */
export async function profileOf(ctx: Ctx) {
  requireUser(ctx)
  const { emptyFields, directory, hasPassword } = await accountState(ctx.user.id)
  return {
    user: { firstName: ctx.user.firstName, initials: initialsOf(ctx.user), avatar: null },
    accessInfo: {
      requiredFieldsEmpty: emptyFields.length > 0,
      requiredFieldsEmptyCodes: emptyFields.map(({ code }) => code),
    },
    availableActions: { updatePassword: !directory && hasPassword, setPassword: !directory && !hasPassword },
  }
}
