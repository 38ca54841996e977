import { call } from '@/lib/kernel/http/client'
import type { patchUserSettings } from '@/lib/profile/user-settings/contract'

/**
 * Keeps the consent to cookies on the server too. A failure is only logged
 * (docs/rules/texts-and-look.md#failures-that-are-only-logged): the browser has it.
 */
export const keepConsent = () =>
  call<typeof patchUserSettings>(
    { method: 'PATCH', path: '/users/settings' },
    { body: { settings: { cookie: true } } },
  ).catch((error) => console.warn('the consent to cookies is not kept on the server', error))
