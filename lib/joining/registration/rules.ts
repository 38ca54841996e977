import { z } from 'zod'
import { AppError } from '@/lib/base/runtime/errors'
import { platformSettings } from '@/lib/site/settings/service'

/** The input of the first step, which the link stores for the second. */
export const RegistrationData = z.object({
  names: z.object({ fio: z.string(), lastName: z.string(), firstName: z.string(), middleName: z.string() }),
  agreed: z.array(z.object({ documentId: z.string(), version: z.number().int() })),
  /** The mobile to which a code was sent last, for a page that is rendered again. */
  asked: z.string().optional(),
})
export type RegistrationData = z.output<typeof RegistrationData>

/** Checks that people may register, and returns the settings. Throws 403 registrationDisabled. */
export async function openRegistration() {
  const settings = await platformSettings()
  if (!settings.registrationEnabled) throw new AppError(403, 'registrationDisabled')
  return settings
}
