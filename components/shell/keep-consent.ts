import { call } from '@/lib/base/http/client'
import type { patchUserSettings } from '@/lib/my-account/settings/contract'

/**
 * Stores the consent of a signed-in person to cookies on the server. A failure is only logged
 * (docs/rules/texts-and-look.md#failures-that-are-only-logged).
 */
export const keepConsent = () =>
  call<typeof patchUserSettings>(
    { method: 'PATCH', path: '/users/settings' },
    { body: { settings: { cookie: true } } },
  ).catch((error) => console.warn('the consent to cookies is not kept on the server', error))
