import { requireUser } from '@/lib/kernel/access'
import type { Ctx } from '@/lib/kernel/ctx'
import { initialsOf } from '@/lib/people/users/initials'
import { accountState } from '@/lib/people/users/service'

/** Returns who is signed in, the required fields they lack, and what they may do with their password. Throws 401. */
export async function getProfile(ctx: Ctx) {
  requireUser(ctx)
  const { emptyFields, directory, hasPassword } = await accountState(ctx.user.id)
  return {
    user: { firstName: ctx.user.firstName, initials: initialsOf(ctx.user), avatar: ctx.user.picture },
    accessInfo: {
      requiredFieldsEmpty: emptyFields.length > 0,
      requiredFieldsEmptyCodes: emptyFields.map(({ code }) => code),
    },
    availableActions: { updatePassword: !directory && hasPassword, setPassword: !directory && !hasPassword },
  }
}

// the address of the profile has one route file, and that one service
export { deleteProfile } from '../deletion/service'
