import { z } from 'zod'
import { contract, Id } from '@/lib/base/contracts/contract'
import { FlowId } from '@/lib/sign-in/attempts/contract'

const Preview = z.strictObject({
  /** The groups of their side menus, with the names of the pages. */
  menus: z.array(z.strictObject({ group: z.string(), screens: z.array(z.string()) })),
  services: z.array(z.strictObject({ id: Id, name: z.string() })),
  methods: z.array(
    z.strictObject({
      id: Id,
      code: z.string(),
      name: z.string(),
      /** The application whose method it is; null for the platform. */
      application: z.string().nullable(),
    }),
  ),
  signIn: z.strictObject({
    schema: z.string(),
    /** Why this schema applies: chosen for the account, by a role, or the base one. */
    by: z.enum(['own', 'role', 'base']),
    /** The flows of the first step, and whether each can reach this person. */
    first: z.array(z.strictObject({ id: FlowId, usable: z.boolean() })),
    /** What is asked for after each usable flow; nothing if one factor is enough. */
    second: z.array(z.strictObject({ after: FlowId, flows: z.array(FlowId) })),
    /** Whether the person can't sign in at all. */
    stuck: z.boolean(),
  }),
})
export type UserPreview = z.output<typeof Preview>

export const readUserPreview = contract({
  name: 'readUserPreview',
  method: 'GET',
  path: '/setting/users/{id}/preview',
  summary: 'What somebody sees and may do: menus, services, methods and flows of sign-in; nobody acts as them',
  tag: 'users',
  access: { area: 'users' },
  params: z.strictObject({ id: Id }),
  response: Preview,
  errors: { notFound: 404, forbiddenUser: 403 },
})
