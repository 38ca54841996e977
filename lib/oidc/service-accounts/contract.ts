import { z } from 'zod'
import { Id } from '@/lib/kernel/http/contract'

/** The methods that an application's service account is to hold, all of them. */
export const SetServiceMethods = z.strictObject({
  applicationId: Id,
  methodIds: z
    .array(Id)
    .max(200, 'errorTooMany')
    .transform((ids) => [...new Set(ids)]),
})
export type SetServiceMethods = z.output<typeof SetServiceMethods>
