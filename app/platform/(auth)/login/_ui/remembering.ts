import { dropChoice, keepChoice } from '@/components/shell/browser-cookie'
import { rememberWish } from './remember-wish'

/** Only the sign-in page gets the cookie (ADR 36). */
const path = '/platform/login'

/** Remembers on this device who has signed in, if they wished it in this tab. */
export function remember(identifier: string) {
  if (sessionStorage.getItem(rememberWish) === identifier) keepChoice('account', identifier, path)
  sessionStorage.removeItem(rememberWish)
}

/** Removes the account from this device. */
export const forgetAccount = () => dropChoice('account', path)
