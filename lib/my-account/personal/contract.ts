import { z } from 'zod'
import { contract, Done, Id, line, lines, personName } from '@/lib/base/contracts/contract'
import { formField } from '@/lib/base/http/form-fields'
import { readVersion } from '@/lib/base/lists/area-calls'
import { PictureCode, pictureChange, pictureRemoval } from '@/lib/fields/field-pictures/contract'
import { fieldTypes } from '@/lib/fields/values/definition'
import { FieldInputs, fieldErrors } from '@/lib/fields/values/input'
import { ContactsInfo, ContactsInput, contactErrors } from '../contact-details/contract'

const tag = 'personal'
const Titled = z.strictObject({ title: z.string(), titleEn: z.string().nullable() })
const Named = z.strictObject({ id: Id, name: z.string() })
const HeldRole = z.strictObject({ roleId: Id, roleName: z.string() })
const HeldMethod = z.strictObject({ methodId: Id, methodName: z.string() })

const AccessInfo = z.strictObject({
  requiredFieldsEmpty: z.boolean(),
  /** In the order of the form. */
  requiredFieldsEmptyCodes: z.array(z.string()),
})
const AvailableActions = z.strictObject({
  /** Whether the person may change their password. */
  updatePassword: z.boolean(),
  /** Whether the person may set a first password. */
  setPassword: z.boolean(),
})

export const getProfile = contract({
  name: 'getProfile',
  method: 'GET',
  path: '/user/profile',
  summary: 'The signed-in person, as the header shows them, with what their account lacks and what it may do',
  tag,
  access: 'user',
  response: z.strictObject({
    user: z.strictObject({
      firstName: z.string(),
      initials: z.string(),
      /** Id of the picture’s file; null without a picture. */
      avatar: z.uuid().nullable(),
    }),
    accessInfo: AccessInfo,
    availableActions: AvailableActions,
  }),
})

const Field = Titled.extend({
  code: z.string(),
  /** Whether it is a field of mainInfo; otherwise it is in additionalInfo under its code. */
  base: z.boolean(),
  fieldType: z.enum(fieldTypes),
  multiple: z.boolean(),
  unique: z.boolean(),
  visible: z.literal(true),
  /** Whether this person may change it: a picture with its own endpoints, any other field with `PATCH user/profile`. */
  edit: z.boolean(),
  required: z.boolean(),
  pattern: z.string().nullable(),
  minLength: z.number().int().nullable(),
  maxLength: z.number().int().nullable(),
  latin: z.boolean(),
  options: z.array(z.strictObject({ code: z.string(), title: z.string() })),
})

export const configureProfile = contract({
  name: 'configureProfile',
  method: 'GET',
  path: '/user/profile/configure',
  summary: 'The fields of the own profile by tabs and blocks, with their flags and rules, for building forms',
  tag,
  access: 'user',
  response: z.strictObject({
    /** Whether the name is one field. */
    useUserFio: z.boolean(),
    tabs: z.array(
      Titled.extend({
        id: z.string(),
        viewType: z.string(),
        subtypes: z.array(Titled.extend({ id: z.string(), fields: z.array(Field) })),
      }),
    ),
  }),
})
export type ProfileTab = z.output<typeof configureProfile.response>['tabs'][number]
export type ProfileBlock = ProfileTab['subtypes'][number]
export type ProfileFieldView = z.output<typeof Field>

/** Null for a value that the profile doesn't show. */
const nullableText = z.string().nullable()

export const readProfileDetails = contract({
  name: 'readProfileDetails',
  method: 'GET',
  path: '/user/profile/details',
  summary: 'All that the own profile shows; `updatedAt` is the version that a change sends back',
  tag,
  access: 'user',
  response: z.strictObject({
    mainInfo: z.strictObject({
      avatar: z.uuid().nullable(),
      fio: nullableText,
      lastName: nullableText,
      firstName: nullableText,
      middleName: nullableText,
      birthDate: nullableText,
      gender: z.enum(['man', 'woman']).nullable(),
      email: nullableText,
      mobile: nullableText,
      login: nullableText,
      locale: nullableText,
      comment: nullableText,
      /** Systemic and organizational roles that are in effect. */
      groups: z.array(Named.extend({ organization: z.string().nullable() })),
      isEditable: z.boolean(),
      /** The codes of the fields that the directory keeps. */
      kept: z.array(z.string()),
      /** The directory that keeps the account, if any. */
      directory: z.string().nullable(),
    }),
    contactsInfo: ContactsInfo,
    /** By the code of the field. */
    additionalInfo: z.record(z.string(), z.unknown()),
    accessInfo: AccessInfo.extend({
      /** The person's access in each application: methods, and the roles that give them. */
      services: z.array(
        z.strictObject({
          id: Id.nullable(),
          name: z.string(),
          roles: z.array(HeldRole),
          methods: z.array(HeldMethod),
        }),
      ),
    }),
    updatedInfo: z.strictObject({
      createdAt: z.iso.datetime(),
      updatedAt: z.iso.datetime(),
      /** The person who made the last recorded change; null for the platform and for an unknown person. */
      by: z.strictObject({ name: z.string(), you: z.boolean() }).nullable(),
      passwordChangedAt: z.iso.datetime().nullable(),
    }),
    termsInfo: z.array(
      z.strictObject({
        id: Id,
        title: z.string(),
        link: z.string(),
        /** The current version, and the version that the person agreed to. */
        version: z.number().int(),
        agreedVersion: z.number().int().nullable(),
        agreedAt: z.iso.datetime().nullable(),
        refusedAt: z.iso.datetime().nullable(),
        status: z.enum(['received', 'refused', 'notReceived']),
        /** Whether signing in requires it; then it can't be withdrawn. */
        loginRequired: z.boolean(),
      }),
    ),
    availableActions: AvailableActions,
  }),
})
export type ProfileDetails = z.output<typeof readProfileDetails.response>

/** An entered value; its definition checks the rest. */
const enteredText = line(10_000).nullable().optional()
const enteredName = personName(10_000).nullable().optional()

/** Members of `details` that aren't fields: they may be sent back, and are ignored. */
const readOnlyInfo = {
  avatar: z.unknown().optional(),
  groups: z.unknown().optional(),
  isEditable: z.unknown().optional(),
  kept: z.unknown().optional(),
  directory: z.unknown().optional(),
  /** These change by a code: a different value is refused. */
  email: enteredText,
  mobile: enteredText,
}
const readOnlyParts = {
  accessInfo: z.unknown().optional(),
  updatedInfo: z.unknown().optional(),
  termsInfo: z.unknown().optional(),
  availableActions: z.unknown().optional(),
}

export const updateProfile = contract({
  name: 'updateProfile',
  method: 'PATCH',
  path: '/user/profile',
  summary:
    'Changes fields of the own profile, all or none; what is left out stays. It takes what `details` returns. Main e-mail and mobile need a code',
  tag,
  access: 'user',
  snackbar: 'profileUpdate',
  body: z.strictObject({
    ...readVersion,
    mainInfo: formField(
      z.strictObject({
        fio: enteredName,
        lastName: enteredName,
        firstName: enteredName,
        middleName: enteredName,
        birthDate: enteredText,
        gender: enteredText,
        locale: enteredText,
        login: enteredText,
        comment: lines(10_000).nullable().optional(),
        ...readOnlyInfo,
      }),
    ),
    contacts: formField(ContactsInput),
    additionalInfo: formField(FieldInputs),
    /** The same as `contacts`, under the name that `details` uses. */
    contactsInfo: formField(ContactsInput),
    ...readOnlyParts,
  }),
  bodyLimit: 256 * 1024,
  response: Done,
  errors: {
    ...fieldErrors,
    ...contactErrors,
    errorReadOnly: 400,
    errorDirectoryName: 400,
    errorBirthDate: 400,
    errorLogin: 400,
    profileReadOnly: 403,
    conflict: 409,
    tooManyAttempts: 429,
  },
})

const picture = { tag, path: '/user/profile/pictures/{code}', access: 'user' } as const
const byCode = z.strictObject({ code: PictureCode })

export const patchProfilePicture = contract({
  ...picture,
  ...pictureChange,
  name: 'patchProfilePicture',
  method: 'PATCH',
  summary: 'Replaces the picture in a field of the own profile',
  params: byCode,
  errors: { ...pictureChange.errors, profileReadOnly: 403 },
})

export const deleteProfilePicture = contract({
  ...picture,
  ...pictureRemoval,
  name: 'deleteProfilePicture',
  method: 'DELETE',
  summary: 'Removes the picture in a field of the own profile',
  params: byCode,
  errors: { ...pictureRemoval.errors, profileReadOnly: 403 },
})
