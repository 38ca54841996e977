import { z } from 'zod'
import { ApplicationRow } from '@/lib/applications/applications/contract'
import { contract, Done, Id, line } from '@/lib/base/contracts/contract'
import { areaCalls, readVersion } from '@/lib/base/lists/area-calls'
import { Client } from '../clients/contract'

const path = '/setting/applications'
const calls = areaCalls('applications', path, { one: 'Application', many: 'Applications', snackbar: 'application' })
const common = { tag: 'applications', access: { area: 'applications' } } as const
const ById = z.strictObject({ id: Id })
const refusals = { forbiddenApplication: 403, applicationFixed: 409 } as const
const Named = z.strictObject({ id: Id, name: z.string(), nameEn: z.string().nullable() })

const ServiceMethod = Named.extend({ code: z.string(), application: z.string().nullable() })

const ApplicationCard = ApplicationRow.extend({
  swaggerUrl: z.string(),
  helpUrl: z.string(),
  compodocUrl: z.string(),
  techUrl: z.string(),
  ip: z.array(z.string()),
  /** Ids of the domains whose menus show it; none means all. */
  domains: z.array(Id),
  parent: Named.nullable(),
  /** Its own methods, with how many roles and service accounts have each. */
  methods: z.array(
    z.strictObject({
      id: Id,
      code: z.string(),
      name: z.string(),
      nameEn: z.string(),
      roles: z.number().int(),
      accounts: z.number().int(),
    }),
  ),
  /** The methods of its service account; `application` is null for the platform’s methods. */
  serviceMethods: z.array(ServiceMethod),
  /** `methods`: those of the tokens that the client gets without a person, by the grant client_credentials. */
  clients: z.array(Client.extend({ methods: z.array(ServiceMethod) })),
  /** How many grants of people are live. */
  sessionCount: z.number().int(),
  /** Whether the caller lacks a method that its service account holds: then only others may change it. */
  beyond: z.boolean(),
  createdAt: z.iso.datetime(),
})
export type ApplicationCard = z.output<typeof ApplicationCard>

export const readApplicationDetails = contract({
  ...common,
  name: 'readApplicationDetails',
  method: 'GET',
  path: `${path}/details/{id}`,
  summary: 'An application with its clients, methods, service account and domains; secrets by their last characters',
  params: ById,
  response: z.strictObject({ application: ApplicationCard }),
  errors: { notFound: 404 },
})

export const deleteApplication = calls.remove({
  summary: 'Deletes an application with its clients, methods and everything that was issued to it',
  errors: { ...refusals, forbiddenMethods: 403 },
})

export const updateServiceMethods = contract({
  ...common,
  name: 'updateServiceMethods',
  method: 'PUT',
  path: `${path}/{id}/service-methods`,
  summary: 'Sets the methods of an application’s service account; the caller must hold each of them',
  snackbar: 'applicationServiceMethods',
  params: ById,
  body: z.strictObject({ methods: z.array(Id).max(200, 'errorTooMany'), ...readVersion }),
  response: Done,
  errors: { ...refusals, errorMethod: 400, forbiddenMethod: 403, notFound: 404, conflict: 409 },
})

export const previewClaims = contract({
  ...common,
  name: 'previewClaims',
  method: 'GET',
  path: `${path}/client/{clientId}/claims`,
  summary: 'What this client would learn about the caller for scopes, and whether the caller may open the application',
  params: z.strictObject({ clientId: line(64).regex(/^[\w-]{1,64}$/, 'errorFormat') }),
  query: z.strictObject({ scope: line(255).default('openid profile email roles') }),
  response: z.strictObject({
    clientId: z.string(),
    /** Whether the client and its application are enabled, and the application isn’t a draft. */
    usable: z.boolean(),
    /** Whether the caller holds a method of the application, or it has none. */
    open: z.boolean(),
    /** Whether people are asked for consent first. */
    consent: z.boolean(),
    /** The claims as JSON. */
    claims: z.string(),
  }),
  errors: { notFound: 404 },
})

/** Methods for a choice, of all applications. */
export const filterMethods = contract({
  name: 'filterMethods',
  tag: 'applications',
  summary: 'Methods of applications, by application and code',
  access: { areas: ['applications', 'roles', 'providers'] },
  method: 'GET',
  path: '/setting/methods/filter',
  query: z.strictObject({ type: z.literal('applications', { error: 'errorFormat' }).default('applications') }),
  response: z.strictObject({
    applications: z.array(Named.extend({ code: z.string(), methods: z.array(Named.extend({ code: z.string() })) })),
  }),
})
