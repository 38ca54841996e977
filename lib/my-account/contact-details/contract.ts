import { z } from 'zod'
import { contract, Id, line } from '@/lib/base/contracts/contract'
import { formField } from '@/lib/base/http/form-fields'

const tag = 'personal'
const path = '/user/profile/contact-details'

export const contactKinds = ['email', 'mobile'] as const
export type ContactKind = (typeof contactKinds)[number]
export const messengers = ['telegram', 'whatsapp', 'viber', 'max'] as const
export type Messenger = (typeof messengers)[number]
export const agreements = ['received', 'refused', 'notReceived'] as const
export type Agreement = (typeof agreements)[number]

/** How many contacts of a kind a person may have. */
export const mostContacts = 10

const Contact = z.strictObject({
  /** Null for a main contact without stored details. */
  id: Id.nullable(),
  /** In lower case, or E.164 with the plus sign. */
  value: z.string(),
  /** Whether codes and messages are sent there, and people may sign in with it. Every other contact is additional. */
  main: z.boolean(),
  additional: z.boolean(),
  /** Messengers in which the number can be reached. */
  messengers: z.array(z.enum(messengers)),
  /** Whether the person has proven it by a code. */
  verified: z.boolean(),
  /** Whether the person allows others to contact them there. */
  agreement: z.enum(agreements),
})
export type Contact = z.output<typeof Contact>

/** The main contact first, then the additional ones in the order in which they were added. */
export const ContactsInfo = z.strictObject({ emails: z.array(Contact), mobiles: z.array(Contact) })
export type ContactsInfo = z.output<typeof ContactsInfo>

const ContactInput = z.strictObject({
  /** Members of a contact that was read: they may be sent back, and are ignored. */
  id: z.unknown().optional(),
  additional: z.unknown().optional(),
  verified: z.unknown().optional(),
  /** A number gets its plus sign if it lacks one. */
  value: line(254).min(1, 'errorEmpty'),
  main: z.boolean().default(false),
  messengers: z.array(z.enum(messengers)).max(messengers.length).default([]),
  agreement: z.enum(agreements).default('notReceived'),
})

/** All contacts that a person is to have, by kind; a kind that is left out stays unchanged. */
export const ContactsInput = z.strictObject({
  emails: z.array(ContactInput).max(mostContacts, 'errorTooMany').optional(),
  mobiles: z.array(ContactInput).max(mostContacts, 'errorTooMany').optional(),
})
export type ContactsInput = z.output<typeof ContactsInput>

/** The errors of a change of contacts, for every endpoint that takes them. */
export const contactErrors = {
  errorEmail: 400,
  errorMobile: 400,
  errorContactTwice: 400,
  errorContactMain: 400,
  errorContactUnproven: 400,
  errorEmailRegistered: 400,
  errorMobileRegistered: 400,
  errorDirectoryEmail: 400,
  errorEmailOfDirectory: 400,
} as const

const CodeState = z.strictObject({
  resendIn: z.number().int().meta({ description: 'Seconds until a code may be requested again, 0 = now' }),
  endTime: z.iso.datetime().nullable().meta({ description: 'End of the code’s validity; null without a code' }),
})

export const requestContactCode = contract({
  name: 'requestContactCode',
  method: 'POST',
  path: `${path}/code`,
  summary:
    'Sends a code to an e-mail or a mobile that the person wants to prove. The answer is the same whoever has it',
  tag,
  access: 'user',
  snackbar: 'contactCode',
  body: z.strictObject({ kind: z.enum(contactKinds), value: line(254).min(1, 'errorEmpty') }),
  response: CodeState,
  errors: {
    errorEmail: 400,
    errorMobile: 400,
    errorReadOnly: 400,
    profileReadOnly: 403,
    codeDailyLimit: 429,
    tooManyAttempts: 429,
    smsUnavailable: 503,
  },
  sensitive: true,
})

export const verifyContact = contract({
  name: 'verifyContact',
  method: 'PUT',
  path: `${path}/verify`,
  summary:
    'Proves a contact by its code. A new one is added; with `main` it becomes the main one at once, which takes the password if the person signed in more than 15 minutes ago',
  tag,
  access: 'user',
  snackbar: 'contactVerify',
  body: z.strictObject({
    kind: z.enum(contactKinds),
    value: line(254).min(1, 'errorEmpty'),
    code: line(16),
    main: z.boolean().default(false),
    /** The present password: `main` requires it from 15 minutes after signing in. */
    password: formField(z.string({ error: 'errorEmpty' }).min(1, 'errorEmpty').max(1024, 'errorTooLong')),
  }),
  response: z.strictObject({ contactsInfo: ContactsInfo }),
  errors: {
    errorEmail: 400,
    errorMobile: 400,
    errorCode: 400,
    errorCodeExpired: 400,
    errorCodeAttempts: 400,
    errorEmailRegistered: 400,
    errorMobileRegistered: 400,
    errorDirectoryEmail: 400,
    errorEmailOfDirectory: 400,
    errorReadOnly: 400,
    errorTooMany: 400,
    errorPasswordNeeded: 400,
    errorActual: 400,
    signInAgain: 403,
    profileReadOnly: 403,
    tooManyAttempts: 429,
  },
  sensitive: true,
})
