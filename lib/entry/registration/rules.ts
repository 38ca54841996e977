import { z } from 'zod'
import { AppError } from '@/lib/kernel/errors'
import { platformSettings } from '@/lib/platform/settings/service'

/** What the first step told and the link keeps until the second. */
export const RegistrationData = z.object({
  names: z.object({ fio: z.string(), lastName: z.string(), firstName: z.string(), middleName: z.string() }),
  agreed: z.array(z.object({ documentId: z.string(), version: z.number().int() })),
  /** The mobile that a code went to last, for a page that is drawn again. */
  asked: z.string().optional(),
})
export type RegistrationData = z.output<typeof RegistrationData>

/** The settings of a platform on which people may register by themselves. Throws 403 registrationDisabled elsewhere. */
export async function openRegistration() {
  const settings = await platformSettings()
  if (!settings.registrationEnabled) throw new AppError(403, 'registrationDisabled')
  return settings
}
