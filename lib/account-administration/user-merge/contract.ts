import { z } from 'zod'
import { contract, Id } from '@/lib/base/contracts/contract'
import { many } from '@/lib/base/lists/lists'

/** Up to how many accounts one merge takes into another. */
const mergedAtMost = 10
const common = { path: '/setting/users/merge', tag: 'users', access: { area: 'users' } } as const

const Effects = z.strictObject({
  /** What the target gets that it doesn't have: roles with their places, contractors, and access requests. */
  roles: z.number().int(),
  contractors: z.number().int(),
  requests: z.number().int(),
  /** Open sessions of the others, which end. */
  sessions: z.number().int(),
})

const Preview = z.strictObject({
  /** The target first. Each with its version. */
  users: z.array(
    z.strictObject({
      id: Id,
      name: z.string(),
      login: z.string(),
      enabled: z.boolean(),
      /** Whether a directory keeps it; such an account can only be the target. */
      directory: z.boolean(),
      /** Whether it is the caller's; such an account can only be the target too. */
      own: z.boolean(),
      updatedAt: z.iso.datetime(),
    }),
  ),
  /** Fields that are empty on the target and filled from another account. */
  filled: z.array(z.strictObject({ code: z.string(), title: z.string() })),
  /** Fields in which another account has another value, which is lost. */
  lost: z.array(z.strictObject({ code: z.string(), title: z.string() })),
  effects: Effects,
  /** Whether the caller holds every method that these people hold. */
  allowed: z.boolean(),
})
export type UserMergePreview = z.output<typeof Preview>

export const previewUserMerge = contract({
  ...common,
  name: 'previewUserMerge',
  method: 'GET',
  summary: 'What merging accounts into another one would do',
  query: z.strictObject({ targetId: Id, sourceIds: many(Id, mergedAtMost) }),
  response: Preview,
  errors: { notFound: 404, errorUser: 400 },
})

export const mergeUsers = contract({
  ...common,
  name: 'mergeUsers',
  method: 'POST',
  summary:
    'Merges accounts of one person into another one, which gets their roles, contractors, contacts, requests and what it lacks; they are deleted',
  snackbar: 'userMerge',
  body: z.strictObject({
    targetId: Id,
    sourceIds: z.array(Id).min(1, 'errorEmpty').max(mergedAtMost, 'errorTooMany'),
    /** By id: the version that was read. */
    versions: z.record(Id, z.iso.datetime({ error: 'errorFormat' })).default({}),
  }),
  response: Effects,
  errors: {
    notFound: 404,
    conflict: 409,
    errorUser: 400,
    forbiddenUser: 403,
    directoryAccount: 409,
    ownAccount: 409,
    lastAdministrator: 409,
  },
})
