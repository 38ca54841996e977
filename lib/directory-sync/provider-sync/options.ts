import { z } from 'zod'
import { RunOrigin } from '@/lib/site/domains/run-context'

/** Stands for the roles in lists of field codes. No field has this code; a field may have the code `roles`. */
export const rolesCode = '*roles'

/** How many accounts would lose their value of a field or their roles (`rolesCode`), and how many have such a value. */
export const Loss = z.object({ code: z.string(), lost: z.number().int(), having: z.number().int() })
export type Loss = z.infer<typeof Loss>

/** The stored options and progress of a run of a synchronization. */
export const SyncOptions = z.object({
  syncId: z.string(),
  providerId: z.string(),
  trigger: z.enum(['manual', 'schedule', 'first']),
  dry: z.boolean(),
  /** The name of the person who started it by hand, as the history shows it. */
  starter: z.string().nullable(),
  /** The person with whose rights the run works. */
  actorId: z.string().nullable(),
  /**
   * The preparer of the provider at the start; null if an administrator vouched for it. Missing in runs of earlier
   * versions.
   */
  enteredBy: z.string().nullable().optional(),
  origin: RunOrigin,
  phase: z.enum(['read', 'write', 'guard', 'disable', 'done']),
  /** The cursor of the next page; null for the first page. */
  cursor: z.string().nullable(),
  read: z.number().int(),
  pages: z.number().int(),
  off: z.number().int(),
  known: z.number().int(),
  gone: z.number().int(),
  /** How many people were written in part; set at the end, missing in runs of earlier versions. */
  noted: z.number().int().optional(),
  /** The losses that need a decision, counted before anybody is written; empty if there are none. */
  losses: z.array(Loss).optional(),
  /** The decision: whether people lose all of these values or none. */
  lossesDecided: z.enum(['all', 'none']).optional(),
})
export type SyncOptions = z.infer<typeof SyncOptions>

/** Returns whether a run waits for a decision on losses. */
export const waitsForLosses = ({ losses = [], lossesDecided }: SyncOptions): boolean =>
  losses.length > 0 && lossesDecided === undefined

/** A field of a person that was not written: the code of the error, with the field as `fieldCode`. */
export const Note = z.object({ code: z.string(), params: z.record(z.string(), z.union([z.string(), z.number()])) })
export type Note = z.infer<typeof Note>

/** The row of one person of a run: its input, and its outcome when it is done. */
export const SyncPerson = z.object({
  externalId: z.string(),
  /** Values of the directory by the codes of fields; a field that is missing here stays unchanged. */
  values: z.record(z.string(), z.unknown()).default({}),
  /** Fields whose value can't be read. */
  broken: z.array(z.string()).default([]),
  /** Ids of the roles that mappers give, and of roles for which the directory sent an unreadable value. */
  roles: z.array(z.string()).default([]),
  rolesUnread: z.array(z.string()).default([]),
  /** The contacts that the directory has proven. */
  proven: z.array(z.enum(['email', 'mobile'])).default([]),
  /** Fields whose value this person has already passed on to another person in this run. */
  moved: z.array(z.string()).default([]),
  /** The account of a person who is gone. */
  goneId: z.string().optional(),
  /** The directory was asked for this one person, and no longer has them. */
  confirmed: z.boolean().optional(),
  action: z.enum(['created', 'changed', 'enabled', 'disabled', 'same', 'failed']).optional(),
  userId: z.string().optional(),
  changed: z.array(z.string()).default([]),
  notes: z.array(Note).default([]),
})
export type SyncPerson = z.infer<typeof SyncPerson>
