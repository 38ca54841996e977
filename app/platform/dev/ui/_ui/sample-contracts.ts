import { z } from 'zod'
import { contract, Done, line, lines, requiredLine } from '@/lib/base/contracts/contract'
import { FieldInputs } from '@/lib/fields/values/input'

/** A contract like those of the administration. It has no route, so the example sends nothing. */
export const sampleAliasCall = contract({
  name: 'sampleAlias',
  method: 'POST',
  path: '/dev/aliases',
  summary: 'An example of a form with repeated rows',
  tag: 'dev',
  access: 'public',
  body: z.strictObject({
    name: requiredLine(64),
    ips: z
      .array(
        z.strictObject({
          ip: requiredLine(64).regex(/^[\da-f.:]+(\/\d{1,3})?$/i, 'errorFormat'),
          comment: line().optional(),
        }),
      )
      .min(1, 'errorEmpty')
      .max(20, 'errorTooLong'),
    comment: line(1000).optional(),
  }),
  response: Done,
})

/** One field of every kind. */
export const sampleFieldsCall = contract({
  name: 'sampleFields',
  method: 'POST',
  path: '/dev/fields',
  summary: 'An example of every control',
  tag: 'dev',
  access: 'public',
  body: z.strictObject({
    text: requiredLine(64),
    area: lines(1000).min(1, 'errorEmpty'),
    password: requiredLine(64),
    number: z.number().int('errorFormat').min(10, 'errorRange').max(7200, 'errorRange'),
    date: z.iso.date('errorEmpty'),
    select: requiredLine(64),
    one: requiredLine(64),
    several: z.array(requiredLine(64)).min(1, 'errorEmpty'),
    agree: z.literal(true, 'errorTerms'),
    enabled: z.boolean(),
  }),
  response: Done,
})

/** Values of defined fields by code. */
export const sampleDefinedCall = contract({
  name: 'sampleDefined',
  method: 'POST',
  path: '/dev/defined',
  summary: 'An example of fields that administrators define',
  tag: 'dev',
  access: 'public',
  body: z.strictObject({ values: FieldInputs }),
  response: Done,
})

/** The call of a row's example. It does nothing, because it has no route. */
export const sampleRowCall = contract({
  name: 'sampleRow',
  method: 'POST',
  path: '/dev/rows',
  summary: 'An example of what can be done with a row',
  tag: 'dev',
  access: 'public',
  snackbar: 'sampleRow',
  response: Done,
  errors: { conflict: 409 },
})

/** One group of a card that is edited in place. */
export const sampleGroupCall = contract({
  name: 'sampleGroup',
  method: 'PUT',
  path: '/dev/groups',
  summary: 'An example of a group of a card',
  tag: 'dev',
  access: 'public',
  snackbar: 'sampleRow',
  body: z.strictObject({
    name: requiredLine(64),
    inn: z.string().regex(/^\d{10}(\d{2})?$/, 'errorFormat'),
    comment: line(1000).optional(),
  }),
  response: Done,
})

/** The change of an object that another person saves or deletes at the same time. The example answers it itself. */
export const sampleConflictCall = contract({
  name: 'sampleConflict',
  method: 'PUT',
  path: '/dev/conflicts',
  summary: 'An example of a conflict',
  tag: 'dev',
  access: 'public',
  snackbar: 'sampleRow',
  body: z.strictObject({
    name: requiredLine(64),
    comment: line(1000),
    visible: z.boolean(),
    secret: line(64),
    updatedAt: z.string(),
  }),
  response: Done,
  errors: { conflict: 409 },
})

/** Texts in several languages. The example answers it itself. */
export const sampleLocalesCall = contract({
  name: 'sampleLocales',
  method: 'PUT',
  path: '/dev/locales',
  summary: 'An example of texts in several languages',
  tag: 'dev',
  access: 'public',
  snackbar: 'sampleRow',
  body: z.strictObject({
    locales: z
      .array(z.strictObject({ localeId: line(64), name: requiredLine(64), content: lines(1000).min(1, 'errorEmpty') }))
      .min(1, 'errorEmpty'),
    updatedAt: z.string(),
  }),
  response: Done,
  errors: { conflict: 409 },
})

/** A list that is edited row by row. The example answers it itself. */
export const sampleItemsCall = contract({
  name: 'sampleItems',
  method: 'PUT',
  path: '/dev/items',
  summary: 'An example of a list with an order',
  tag: 'dev',
  access: 'public',
  snackbar: 'sampleRow',
  body: z.strictObject({
    group: line(64),
    items: z
      .array(z.strictObject({ id: line(64).optional(), code: requiredLine(64), value: requiredLine(64) }))
      .max(20, 'errorTooMany'),
  }),
  response: Done,
})

/** The object that a dialog above another creates. The example answers it itself. */
export const sampleGroupNameCall = contract({
  name: 'sampleGroupName',
  method: 'PUT',
  path: '/dev/group-names',
  summary: 'An example of a dialog above a dialog',
  tag: 'dev',
  access: 'public',
  snackbar: 'sampleRow',
  body: z.strictObject({ name: requiredLine(64) }),
  response: Done,
})
