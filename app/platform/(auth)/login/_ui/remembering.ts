import { dropChoice, keepChoice } from '@/components/shell/browser-cookie'
import { rememberWish } from './remember-wish'

/** The cookie's path, so that only the sign-in page gets it (ADR 36). */
const path = '/platform/login'

/** Remembers on this device who has signed in, if they requested it in this tab. */
export function remember(identifier: string) {
  if (sessionStorage.getItem(rememberWish) === identifier) keepChoice('account', identifier, path)
  sessionStorage.removeItem(rememberWish)
}

/** Removes the account from this device. */
export const forgetAccount = () => dropChoice('account', path)
