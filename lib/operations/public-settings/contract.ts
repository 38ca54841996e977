import { z } from 'zod'
import { contract } from '@/lib/base/contracts/contract'

export const getPublicSettings = contract({
  name: 'getPublicSettings',
  method: 'GET',
  path: '/application/settings/public',
  summary: 'What the public forms need to know: password rules, profile fields, codes, what is open',
  tag: 'start-up',
  access: 'public',
  response: z.strictObject({
    password: z.strictObject({
      min: z.number().int(),
      max: z.number().int().nullable(),
      /** A password contains at least one of these, if there are any. */
      symbols: z.string(),
      uppercase: z.boolean(),
      lowercase: z.boolean(),
      numbers: z.boolean(),
      generate: z.boolean(),
      custom: z.array(z.strictObject({ pattern: z.string(), title: z.record(z.string(), z.string()) })),
    }),
    fields: z.array(
      z.strictObject({
        code: z.string(),
        title: z.string(),
        titleEn: z.string().nullable(),
        fieldType: z.string(),
        visible: z.boolean(),
        required: z.boolean(),
      }),
    ),
    codeDigits: z.number().int(),
    registrationEnabled: z.boolean(),
    /** The kinds of identifier that people sign in with. */
    identification: z.strictObject({ login: z.boolean(), email: z.boolean(), mobile: z.boolean() }),
  }),
})
