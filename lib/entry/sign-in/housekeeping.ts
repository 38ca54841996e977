import { removeOldWrongCodes } from '@/lib/entry/codes/wrong-codes'
import { removeStaleAttempts } from './queries'

/** What sign-in leaves behind: what was completed before `before`, and sooner what came to nothing. */
export async function tidySignIn(before: Date) {
  await removeStaleAttempts(before)
  await removeOldWrongCodes()
}
