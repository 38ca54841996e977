import { z } from 'zod'
import { Id } from '@/lib/base/contracts/contract'

/** All methods that the service account of an application shall hold. */
export const UpdateServiceMethodsInput = z.strictObject({
  applicationId: Id,
  methodIds: z
    .array(Id)
    .max(200, 'errorTooMany')
    .transform((ids) => [...new Set(ids)]),
})
export type UpdateServiceMethodsInput = z.output<typeof UpdateServiceMethodsInput>
