import { z } from 'zod'
import { contract, Done, Id, line, personName, requiredLine } from '@/lib/base/contracts/contract'
import { emptyField, formField } from '@/lib/base/http/form-fields'
import { TermsAgree } from '@/lib/base/http/terms'
import { furtherFields } from '@/lib/fields/profile-fields/contract'
import { fieldErrors } from '@/lib/fields/values/input'

const tag = 'invitation'
/** The link's GUID, never the row's id (docs/rules/invitations.md#link). */
const hash = Id
const params = z.strictObject({ id: Id })
const Password = z.string({ error: 'errorEmpty' }).max(1024, 'errorTooLong')

/** The answers to calls with a dead link (docs/rules/invitations.md#states). */
const linkErrors = { notFound: 404, expired: 403, used: 400, canceled: 400, active: 400 }

const Terms = z.array(
  z.strictObject({
    id: z.string(),
    version: z.number().int(),
    title: z.string(),
    linkTitle: z.string(),
    link: z.string(),
  }),
)

const OfferedOrganization = z.strictObject({
  organizationId: z.string(),
  name: z.string(),
  roles: z.array(z.strictObject({ roleId: z.string(), name: z.string() })),
})

/** An organization as the form sends it back; it is ignored. */
const ReturnedOrganization = z.strictObject({
  organizationId: line(),
  name: line(1024),
  roles: z.array(z.strictObject({ roleId: line(), name: line(1024) })),
})

/** An invitation and its invitee; the invitee's names are filled only if they are signed in. */
export const InvitationView = z.strictObject({
  status: z.literal('active'),
  email: z.string(),
  login: z.string(),
  fio: z.string(),
  lastName: z.string(),
  firstName: z.string(),
  middleName: z.string(),
  /** The inviter's name; empty if the account has been deleted. */
  inviter: z.string(),
  company: z.string(),
  organizations: z.array(OfferedOrganization),
  /** Seconds until it expires. */
  expiresIn: z.number().int(),
  expiresAt: z.iso.datetime(),
  /** Whether the e-mail has an account, which must then be signed in to accept. */
  existing: z.boolean(),
  /** Whether that account is signed in here: then the link and the agreements are enough to accept. */
  signedIn: z.boolean(),
  mobile: z.string().nullable(),
  /** Whether the mobile is proven: then no code is needed. */
  mobile_verify: z.boolean(),
  termsRequired: Terms,
})
export type InvitationView = z.output<typeof InvitationView>

export const readInvitation = contract({
  name: 'invitation',
  method: 'GET',
  path: '/invitation/{id}',
  summary: 'The values of an invitation’s form; reading does not use the invitation up',
  tag,
  access: 'public',
  params,
  response: InvitationView,
  errors: linkErrors,
  sensitive: true,
})

export const declineInvitation = contract({
  name: 'invitationDecline',
  method: 'DELETE',
  path: '/invitation/{id}',
  summary: 'Declines an invitation',
  tag,
  access: 'public',
  params,
  response: Done,
  errors: linkErrors,
  sensitive: true,
  snackbar: 'decline',
})

export const sendInvitationCode = contract({
  name: 'invitationCode',
  method: 'POST',
  path: '/invitation/code',
  summary: 'Sends the code that proves the mobile of somebody without an account',
  tag,
  access: 'public',
  snackbar: 'invitationCode',
  body: z.strictObject({ hash, mobile: requiredLine(32) }),
  response: z.strictObject({ endTime: z.iso.datetime().nullable(), resendIn: z.number().int() }),
  errors: {
    ...linkErrors,
    errorMobile: 400,
    invitationSignIn: 401,
    conflict: 409,
    codeDailyLimit: 429,
    tooManyAttempts: 429,
    smsUnavailable: 503,
  },
  sensitive: true,
})

export const verifyInvitationMobile = contract({
  name: 'invitationVerify',
  method: 'PUT',
  path: '/invitation/verify',
  summary: 'Proves the mobile by its code',
  tag,
  access: 'public',
  snackbar: 'invitationVerify',
  body: z.strictObject({ hash, mobile: requiredLine(32), code: requiredLine(16) }),
  response: z.strictObject({ mobile_verify: z.literal(true) }),
  errors: {
    ...linkErrors,
    errorMobile: 400,
    errorCode: 400,
    errorCodeExpired: 400,
    errorCodeAttempts: 400,
    errorMobileRegistered: 400,
    invitationSignIn: 401,
    conflict: 409,
    tooManyAttempts: 429,
  },
  sensitive: true,
})

/**
 * Accepts an invitation. If the e-mail has no account, the form's fields create one. If it has one, that account must
 * be signed in, and `hash` and `termsAgree` are enough. The call signs in and answers like authLogin.
 */
export const acceptInvitation = contract({
  name: 'invitationAccept',
  method: 'POST',
  path: '/invitation/accept',
  summary: 'Accepts an invitation',
  tag,
  access: 'public',
  body: z.strictObject({
    hash,
    ...furtherFields,
    email: formField(line(254)),
    fio: formField(personName()),
    last_name: formField(personName()),
    first_name: formField(personName()),
    middle_name: formField(personName()),
    lastName: emptyField(),
    firstName: emptyField(),
    middleName: emptyField(),
    mobile: formField(line(32)),
    code: formField(line(16)),
    password: formField(Password),
    repeatPassword: formField(Password),
    termsAgree: formField(TermsAgree),
    /** The form sends these back as readInvitation returned them; they are ignored. */
    expiresIn: formField(z.number().int()),
    organizations: formField(z.array(ReturnedOrganization).max(200)),
  }),
  response: z.strictObject({ next: z.literal('done'), redirect: z.string(), mobile_verify: z.boolean() }),
  errors: {
    ...linkErrors,
    errorPasswordRules: 400,
    errorPasswordBreached: 400,
    errorPasswordPersonal: 400,
    errorMatch: 400,
    errorInvitationEmail: 400,
    errorLogin: 400,
    errorBirthDate: 400,
    ...fieldErrors,
    errorMobile: 400,
    errorMobileUnverified: 400,
    errorMobileRegistered: 400,
    errorCode: 400,
    errorCodeExpired: 400,
    errorCodeAttempts: 400,
    invitationSignIn: 401,
    termsRequired: 403,
    errorEmailRegistered: 409,
    lastAdministrator: 409,
    conflict: 409,
    tooManyAttempts: 429,
  },
  sensitive: true,
  snackbar: 'accept',
})
