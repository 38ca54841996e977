import { z } from 'zod'
import { requireAgreement, type TermsAnswer } from '@/lib/entry/agreements/service'
import { AppError, type FieldError, type TermsRequired } from '@/lib/kernel/errors'
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

/** Throws what a call says of its form, all faults at once: 403 with the terms that lack, else 400 for its fields. */
export function requireFaultless(
  errorList: FieldError[],
  pending: TermsRequired[],
  answers: TermsAnswer[] | undefined,
): TermsRequired[] {
  let agreed: TermsRequired[]
  try {
    agreed = requireAgreement(pending, answers)
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    const { data } = error
    throw new AppError(403, 'termsRequired', { ...data, errorList: [...errorList, ...(data.errorList ?? [])] })
  }
  if (errorList.length > 0) throw new AppError(400, undefined, { errorList })
  return agreed
}
