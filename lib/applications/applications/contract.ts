import { z } from 'zod'
import { contract, Done, Id, LatinCode, line, requiredLine } from '@/lib/base/contracts/contract'
import { areaCalls, readVersion } from '@/lib/base/lists/area-calls'
import { CursorMeta, listQuery, many, yesNoFilter } from '@/lib/base/lists/lists'
import { Subnet } from '@/lib/base/runtime/subnet'
import { logoChange, logoRemoval } from '@/lib/site/pictures/contract'

export const SetApplicationEnabled = z.strictObject({
  id: Id,
  enabled: z.boolean({ error: 'errorFormat' }),
  ...readVersion,
})
export type SetApplicationEnabled = z.output<typeof SetApplicationEnabled>

/** Whether a browser can open an address: http(s) without user name and password, or a path of the platform. */
function isTileAddress(address: string): boolean {
  if (/[\s\\]/.test(address)) return false
  if (/^\/(?!\/)/.test(address)) return true
  if (!/^https?:\/\/[^/]/i.test(address) || !URL.canParse(address)) return false
  const { username, password } = new URL(address)
  return !username && !password
}

/**
 * Types that no menu shows: a draft isn't in use yet, an external application belongs to another owner
 * (docs/rules/administration-screens.md#menus-of-applications).
 */
const neverInMenu = ['draft', 'external']

export const applicationTypes = ['internal', 'external', 'draft', 'link', 'virtual'] as const
const Type = z.enum(applicationTypes, 'errorFormat')

/** An address for people who run the application; empty for none. */
const Technical = line(2048)
  .refine((address) => address === '' || isTileAddress(address), 'errorApplicationAddress')
  .default('')

const distinct = <S extends z.ZodType<string>>(item: S, max: number) =>
  z
    .array(item)
    .max(max, 'errorTooMany')
    .superRefine((list, check) => {
      for (const [index, value] of list.entries())
        if (list.indexOf(value) < index) check.addIssue({ code: 'custom', message: 'errorDuplicate', path: [index] })
    })
    .default([])

const Fields = z.strictObject({
  type: Type,
  /** By default the code is made from the name. */
  code: LatinCode.optional(),
  name: requiredLine(100),
  /** In English; if empty, `name` serves both languages. */
  nameEn: line(100).default(''),
  description: line(500).default(''),
  /** In English; if empty, `description` serves both languages. */
  descriptionEn: line(500).default(''),
  url: line(2048)
    .refine((address) => address === '' || isTileAddress(address), 'errorApplicationAddress')
    .transform((address) => address || null)
    .nullable()
    .default(null),
  menuVisible: z.boolean({ error: 'errorFormat' }).default(false),
  /** The application under which menus show this one; at least one of the two is virtual. */
  parentId: Id.nullable().default(null),
  /** Addresses for people and programs that run the application. */
  swaggerUrl: Technical,
  helpUrl: Technical,
  compodocUrl: Technical,
  techUrl: Technical,
  /** Networks from which its service account may call; none means from anywhere. */
  ip: distinct(Subnet, 100),
  /** Domains whose menus show it; none means all. */
  domains: distinct(Id, 200),
})
type MenuPlace = Pick<z.output<typeof Fields>, 'type' | 'url' | 'menuVisible'>

/** Adds an issue if an address is missing that the type needs, and if menus can't show the application. */
function checkPlace({ type, url, menuVisible }: MenuPlace, check: z.RefinementCtx) {
  if (!url && (type === 'link' || type === 'external'))
    check.addIssue({ code: 'custom', message: 'errorEmpty', path: ['url'] })
  if (menuVisible && !isShowable({ type, url }))
    check.addIssue({ code: 'custom', message: 'errorMenuVisible', path: ['menuVisible'] })
}

/** Returns whether menus can show an application (docs/rules/administration-screens.md#menus-of-applications). */
export const isShowable = ({ type, url }: { type: string; url: string | null }): boolean =>
  Boolean(url) && !neverInMenu.includes(type)

export const ApplicationInput = Fields.superRefine(checkPlace)
export type ApplicationInput = z.output<typeof ApplicationInput>
const ApplicationUpdate = Fields.extend({ code: LatinCode, ...readVersion }).superRefine(checkPlace)

/** An application as lists show it. */
export const ApplicationRow = z.strictObject({
  id: Id,
  type: Type,
  enabled: z.boolean(),
  code: z.string(),
  name: z.string(),
  nameEn: z.string(),
  url: z.string().nullable(),
  version: z.string().nullable(),
  description: z.string(),
  descriptionEn: z.string(),
  menuVisible: z.boolean(),
  order: z.number().int(),
  parentId: Id.nullable(),
  iconId: Id.nullable(),
  /** It ships with the platform and can't be deleted. */
  immutable: z.boolean(),
  /** 0 all, 1 clients read-only, 2 view only. */
  actionsAccess: z.number().int(),
  /** The id of its first client; null for none. */
  clientId: z.string().nullable(),
  /** How many clients it has. */
  clientCount: z.number().int(),
  updatedAt: z.iso.datetime(),
})
export type ApplicationRow = z.output<typeof ApplicationRow>

const filters = {
  search: line(100).optional(),
  enabled: yesNoFilter().optional(),
  menuVisible: yesNoFilter().optional(),
}
const sorting = {
  sorts: ['order', 'name', 'code', 'updatedAt'],
  defaultSort: { by: 'order', order: 'asc' },
  cursor: true,
} as const

export const ApplicationQuery = listQuery({
  filters: { ...filters, type: many(Type, applicationTypes.length).optional() },
  ...sorting,
})

/** The query of a list of one type, without a filter for it. */
export const InternalApplicationQuery = listQuery({ filters, ...sorting })

const path = '/setting/applications'
const calls = areaCalls('applications', path, { one: 'Application', many: 'Applications', snackbar: 'application' })
const common = { tag: 'applications', access: { area: 'applications' } } as const
const ById = z.strictObject({ id: Id })
const refusals = { forbiddenApplication: 403, applicationFixed: 409 } as const
const valueErrors = { errorUnique: 400, errorInternal: 400, errorParent: 400, errorDomain: 400 } as const
const fixedErrors = { errorCodeFixed: 400, errorVirtualUsed: 400 } as const

export const listApplications = calls.list({
  summary: 'Applications in the order of menus',
  query: ApplicationQuery,
  response: z.strictObject({ applications: z.array(ApplicationRow), meta: CursorMeta }),
})

export const createApplication = calls.create({
  summary: 'Creates an application after the others; by default its code is made from the name',
  body: ApplicationInput,
  response: z.strictObject({ id: Id, code: z.string() }),
  errors: valueErrors,
})

export const updateApplication = calls.update({
  summary: 'Replaces an application’s fields; with `updatedAt` as read only if nobody saved it meanwhile',
  body: ApplicationUpdate,
  errors: { ...valueErrors, ...fixedErrors, ...refusals, forbiddenAddress: 403, addressOfApi: 409 },
})

export const enableApplication = calls.enable({
  summary: 'Enables or disables an application: its clients and its service account are refused at once',
  errors: refusals,
})

export const showApplication = contract({
  ...common,
  name: 'showApplication',
  method: 'PUT',
  path: `${path}/{id}/menu-visible`,
  summary:
    'Shows an application in menus, or hides it; a draft, an external one and one without an address stay hidden',
  snackbar: 'applicationMenu',
  params: ById,
  body: z.strictObject({ menuVisible: z.boolean({ error: 'errorFormat' }), ...readVersion }),
  response: Done,
  errors: { ...refusals, errorMenuVisible: 400, notFound: 404, conflict: 409 },
})

/** The most applications that can be ordered, because all are sent at once. */
export const mostOrdered = 1000

export const orderApplications = contract({
  ...common,
  name: 'orderApplications',
  method: 'PATCH',
  path: `${path}/order`,
  summary: 'Orders the applications; names each of them with its place',
  snackbar: 'applicationsOrder',
  bodyLimit: 256 * 1024,
  list: 'order',
  body: z.strictObject({
    order: z
      .array(
        z.strictObject({ id: Id, order: z.number({ error: 'errorFormat' }).int('errorFormat').min(0).max(100_000) }),
      )
      .max(mostOrdered, 'errorTooMany'),
    /** The ids in the order that was read: the answer is 409 if it has changed since. */
    read: z.array(Id).max(mostOrdered, 'errorTooMany').optional(),
  }),
  response: Done,
  errors: { conflict: 409 },
})

const MethodInput = z.strictObject({
  /** The id of an existing method; a new one has none. */
  id: Id.optional(),
  code: requiredLine(64).regex(/^[\w.:-]+$/, 'errorMethodCode'),
  name: requiredLine(100),
  nameEn: line(100).default(''),
})

export const updateApplicationMethods = contract({
  ...common,
  name: 'updateApplicationMethods',
  method: 'PUT',
  path: `${path}/{id}/methods`,
  summary:
    'Replaces the application’s own methods; one that a role or a service account has stays, and so does its code',
  snackbar: 'applicationMethods',
  params: ById,
  body: z.strictObject({
    methods: z
      .array(MethodInput)
      .max(200, 'errorTooMany')
      .superRefine((list, check) => {
        for (const [index, { code }] of list.entries())
          if (list.findIndex((method) => method.code === code) < index)
            check.addIssue({ code: 'custom', message: 'errorMethodDuplicate', path: [index, 'code'] })
      }),
    ...readVersion,
  }),
  response: Done,
  errors: { ...refusals, errorMethodUnknown: 400, methodUsed: 409, addressOfApi: 409, notFound: 404, conflict: 409 },
})

const ofIcon = {
  path: '/setting/applications/{id}/icon',
  tag: 'applications',
  access: { area: 'applications' },
  params: z.strictObject({ id: Id }),
} as const
export const patchApplicationIcon = contract({
  ...ofIcon,
  ...logoChange,
  name: 'patchApplicationIcon',
  method: 'PATCH',
  summary: 'Replaces the icon of an application; the file is drawn anew',
  snackbar: 'applicationIconUpdate',
  errors: { ...logoChange.errors, ...refusals },
})

export const deleteApplicationIcon = contract({
  ...ofIcon,
  ...logoRemoval,
  name: 'deleteApplicationIcon',
  method: 'DELETE',
  summary: 'Removes the icon of an application: menus show its first letter again',
  snackbar: 'applicationIconDelete',
  errors: { ...logoRemoval.errors, ...refusals },
})
