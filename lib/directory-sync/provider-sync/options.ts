import { z } from 'zod'
import { RunOrigin } from '@/lib/site/domains/run-context'

/** Stands for roles where fields are named by their codes; no field has this code, though one may have `roles`. */
export const rolesCode = '*roles'

/** Accounts that would lose what they have in a field, or roles (`rolesCode`), among those that have it. */
export const Loss = z.object({ code: z.string(), lost: z.number().int(), having: z.number().int() })
export type Loss = z.infer<typeof Loss>

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
  /** Whose word the provider was when the run began, null for an administrator's; runs of earlier versions don't say. */
  enteredBy: z.string().nullable().optional(),
  origin: RunOrigin,
  phase: z.enum(['read', 'write', 'guard', 'disable', 'done']),
  /** Where the directory goes on; null for the beginning. */
  cursor: z.string().nullable(),
  read: z.number().int(),
  pages: z.number().int(),
  off: z.number().int(),
  known: z.number().int(),
  gone: z.number().int(),
  /** How many people something was left out of, when it is over; runs of earlier versions don't say. */
  noted: z.number().int().optional(),
  /** The losses that wait for a decision, counted before anybody is written; empty if there are none. */
  losses: z.array(Loss).optional(),
  /** What was decided of them. */
  lossesDecided: z.enum(['all', 'none']).optional(),
})
export type SyncOptions = z.infer<typeof SyncOptions>

/** Whether a run waits for a decision on losses. */
export const waitsForLosses = ({ losses = [], lossesDecided }: SyncOptions): boolean =>
  losses.length > 0 && lossesDecided === undefined

/** What of a person was not written, and why: the code of an error, with the field as `fieldCode`. */
export const Note = z.object({ code: z.string(), params: z.record(z.string(), z.union([z.string(), z.number()])) })
export type Note = z.infer<typeof Note>

/** What one person of a run needs, and what is kept when it is over. */
export const SyncPerson = z.object({
  externalId: z.string(),
  /** Values of fields by their codes, as the directory has them; what isn't among them stays. */
  values: z.record(z.string(), z.unknown()).default({}),
  /** Fields whose value can't be read. */
  broken: z.array(z.string()).default([]),
  /** Ids of the roles that mappers give, and of those of which the directory says nothing that can be read. */
  roles: z.array(z.string()).default([]),
  rolesUnread: z.array(z.string()).default([]),
  /** The contacts that the directory has proven. */
  proven: z.array(z.enum(['email', 'mobile'])).default([]),
  /** Fields that this person has left to somebody else already, who had theirs. */
  moved: z.array(z.string()).default([]),
  /** The account of somebody who is gone. */
  goneId: z.string().optional(),
  /** The directory was asked for this person alone, and has them no longer. */
  confirmed: z.boolean().optional(),
  action: z.enum(['created', 'changed', 'enabled', 'disabled', 'same', 'failed']).optional(),
  userId: z.string().optional(),
  changed: z.array(z.string()).default([]),
  notes: z.array(Note).default([]),
})
export type SyncPerson = z.infer<typeof SyncPerson>
