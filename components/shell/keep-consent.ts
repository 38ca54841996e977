import { call } from '@/lib/kernel/http/client'
import type { patchUserSettings } from '@/lib/profile/user-settings/contract'
import { leaveWhole } from './leave-whole'

/**
 * Applies the consent to cookies that the browser stored: starts the analytics counter at the address `metrics`, and
 * stores the consent of a signed-in person on the server. A failure is only logged
 * (docs/rules/texts-and-look.md#failures-that-are-only-logged).
 */
export function applyConsent(signedIn: boolean, metrics: string | null) {
  if (metrics) {
    leaveWhole()
    document.head.append(Object.assign(document.createElement('script'), { src: metrics }))
  }
  if (signedIn)
    call<typeof patchUserSettings>(
      { method: 'PATCH', path: '/users/settings' },
      { body: { settings: { cookie: true } } },
    ).catch((error) => console.warn('the consent to cookies is not kept on the server', error))
}
