import { z } from 'zod'
import { contract, Done, Id, line } from '@/lib/base/contracts/contract'
import { CursorMeta, listQuery, many } from '@/lib/base/lists/lists'

/** Whether a contact can work for one of the contractors that are shown. */
export const accessStatuses = ['invitationSent', 'active', 'inactive'] as const
export type AccessStatus = (typeof accessStatuses)[number]

const Named = z.strictObject({ id: Id, name: z.string() })

/** What is shown of a person; empty and null where the profile doesn't show the field. */
const person = {
  /** Empty for an account without a name: its login is for readers of users only. */
  name: z.string(),
  email: z.string().nullable(),
  mobile: z.string().nullable(),
  /** The id of the picture. */
  picture: Id.nullable(),
  access: z.enum(accessStatuses),
}

const Contact = z.strictObject({
  id: Id,
  /** Null for an invitation that waits for its answer. */
  userId: Id.nullable(),
  ...person,
  /** Until when the invitation can be accepted. */
  expiresAt: z.iso.datetime().nullable(),
  /** The contractors that the caller has in common with the contact, or manages, with the contact’s roles there. */
  contractors: z.array(Named.extend({ roles: z.array(Named) })),
})
export type Contact = z.output<typeof Contact>

export const ContactQuery = listQuery({
  filters: {
    search: line(100).optional(),
    contractorId: Id.optional(),
    roleId: Id.optional(),
    access: many(z.enum(accessStatuses)).optional(),
  },
  sorts: ['name'],
  defaultSort: { by: 'name', order: 'asc' },
  cursor: true,
})

const common = { tag: 'contacts', access: 'user' } as const
const path = '/user/profile/contacts'

export const listContacts = contract({
  ...common,
  name: 'listContacts',
  method: 'GET',
  path,
  summary: 'The colleagues in the caller’s contractors, and open invitations to contractors that the caller manages',
  query: ContactQuery,
  response: z.strictObject({ contacts: z.array(Contact), meta: CursorMeta }),
})

const Place = z.strictObject({
  organizationId: Id,
  organization: z.string(),
  /** A role in a disabled organization gives nothing. */
  enabled: z.boolean(),
  roles: z.array(Named),
})

const ContactContractor = z.strictObject({
  id: Id,
  name: z.string(),
  inn: z.string(),
  kpp: z.string(),
  /** Since when the person belongs to it. */
  date: z.iso.datetime(),
  access: z.array(Place),
  /** Whether the caller manages it, and whether they may change what this person holds for it. */
  managed: z.boolean(),
  editable: z.boolean(),
  /** The organizations in which its people may hold roles; none unless the caller manages it. */
  availableOrganizations: z.array(Named),
  /** A version of what the person holds for it. A change may send it back. */
  version: z.string(),
})
export type ContactContractor = z.output<typeof ContactContractor>

export const readContact = contract({
  ...common,
  name: 'readContact',
  method: 'GET',
  path: `${path}/{userId}/contractors`,
  summary: 'The contractors that the caller has in common with a contact, or manages, with the contact’s roles',
  params: z.strictObject({ userId: Id }),
  response: z.strictObject({ ...person, contractors: z.array(ContactContractor) }),
  errors: { notFound: 404 },
})

const master = { tag: 'contacts', access: { method: 'masterAccountAccess' } } as const
const masterPath = '/master-account/contacts'
const refused = { forbiddenUser: 403, notFound: 404, lastAdministrator: 409 }

export const changeContactRoles = contract({
  ...master,
  name: 'changeContactRoles',
  method: 'PUT',
  path: `${masterPath}/contractors`,
  summary: 'Replaces the roles that a contact holds for a contractor; with none they stay in it without roles',
  snackbar: 'contactRoles',
  body: z.strictObject({
    userId: Id,
    contractorId: Id,
    access: z
      .array(z.strictObject({ organizationId: Id, roles: z.array(Id).max(100, 'errorTooMany') }))
      .max(200, 'errorTooMany'),
    /** The version that was read: if the roles have changed since, the answer is 409. */
    version: line(64).optional(),
  }),
  response: Done,
  errors: { ...refused, forbiddenRole: 403, errorOrganization: 400, errorRole: 400, conflict: 409 },
  bodyLimit: 256 * 1024,
})

const Which = z.strictObject({ userId: Id, contractorId: Id })

export const removeContact = contract({
  ...master,
  name: 'removeContact',
  method: 'DELETE',
  path: `${masterPath}/contractors`,
  summary: 'Takes a contact out of a contractor: their roles for it are gone at once, the account stays',
  snackbar: 'contactRemove',
  query: Which,
  response: Done,
  errors: refused,
})

const Removal = z.strictObject({
  /** How many roles the person holds for the contractor. */
  roles: z.number().int(),
  /** Services of this domain that these roles open. */
  services: z.array(z.strictObject({ title: z.string(), titleEn: z.string().nullable() })),
  /** Whether they decide about the contractor’s people and requests. */
  manager: z.boolean(),
  /** How many of their open invitations to the contractor will give nothing. */
  invitations: z.number().int(),
})
export type Removal = z.output<typeof Removal>

export const previewRemoval = contract({
  ...master,
  name: 'previewRemoval',
  method: 'GET',
  path: `${masterPath}/{userId}/contractors/{contractorId}/removal`,
  summary: 'What a contact would lose by being taken out of a contractor',
  params: Which,
  response: Removal,
  errors: { notFound: 404 },
})
