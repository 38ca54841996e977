import { removeOldWrongCodes } from '../codes/account-code-limit'
import { removeStaleAttempts } from './queries'

/** Deletes attempts that were completed before `before`, expired attempts sooner, and old wrong codes. */
export async function tidySignIn(before: Date, now = new Date()) {
  await removeStaleAttempts(before, now)
  await removeOldWrongCodes()
}
