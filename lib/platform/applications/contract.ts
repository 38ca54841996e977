import { z } from 'zod'
import { Id } from '@/lib/kernel/http/contract'

export const SetApplicationEnabled = z.strictObject({ id: Id, enabled: z.boolean({ error: 'errorFormat' }) })
export type SetApplicationEnabled = z.output<typeof SetApplicationEnabled>
