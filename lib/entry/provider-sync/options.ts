import { z } from 'zod'
import { RunOrigin } from '@/lib/platform/domains/run-context'

/** What a run of a synchronization keeps of itself. */
export const SyncOptions = z.object({
  syncId: z.string(),
  providerId: z.string(),
  trigger: z.enum(['manual', 'schedule', 'first']),
  dry: z.boolean(),
  /** Who started it by hand, as the history shows them. */
  starter: z.string().nullable(),
  /** With whose rights it works. */
  actorId: z.string().nullable(),
  origin: RunOrigin,
  phase: z.enum(['read', 'write', 'guard', 'disable', 'done']),
  /** Where the directory goes on; null for the beginning. */
  cursor: z.string().nullable(),
  read: z.number().int(),
  pages: z.number().int(),
  off: z.number().int(),
  known: z.number().int(),
  gone: z.number().int(),
})
export type SyncOptions = z.infer<typeof SyncOptions>

/** What one person of a run needs, and what is kept when it is over. */
export const SyncRow = z.object({
  externalId: z.string(),
  /** Values of fields by their codes, as the directory has them. */
  values: z.record(z.string(), z.unknown()).default({}),
  /** Ids of the roles that mappers give. */
  roles: z.array(z.string()).default([]),
  /** The account of somebody who is gone. */
  goneId: z.string().optional(),
  /** The directory was asked for this person alone, and has them no longer. */
  confirmed: z.boolean().optional(),
  action: z.enum(['created', 'changed', 'enabled', 'disabled', 'same', 'failed']).optional(),
  userId: z.string().optional(),
  changed: z.array(z.string()).default([]),
})
export type SyncRow = z.infer<typeof SyncRow>
