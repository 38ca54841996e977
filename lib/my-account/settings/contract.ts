import { z } from 'zod'
import { contract, line } from '@/lib/base/contracts/contract'
import { ListColumns } from '@/lib/base/contracts/list-columns'
import { pageSizes } from '@/lib/base/lists/page-sizes'

const UserSettings = z.strictObject({
  lang: z.string().nullable(),
  navMini: z.boolean().nullable(),
  pagination: z.number().nullable(),
  cookie: z.boolean().nullable(),
  /** The time zone of the browser that the person used last, by its IANA name. */
  timeZone: z.string().nullable(),
  /** The time zone that the person has chosen; null for the browser's. */
  chosenTimeZone: z.string().nullable(),
  /** The columns that the person has shown and hidden, by list and column. */
  columns: ListColumns,
})

export const getUserSettings = contract({
  name: 'getUserSettings',
  method: 'GET',
  path: '/users/settings',
  summary: 'The settings that the signed-in person has chosen',
  tag: 'start-up',
  access: 'user',
  beforeTerms: true,
  response: z.strictObject({ settings: UserSettings }),
})

export const patchUserSettings = contract({
  name: 'patchUserSettings',
  method: 'PATCH',
  path: '/users/settings',
  summary: 'Changes the given settings; the others stay, and so do columns that aren’t named',
  tag: 'start-up',
  access: 'user',
  beforeTerms: true,
  snackbar: 'userSettings',
  body: z.strictObject({
    settings: z
      .strictObject({
        lang: line(16).optional(),
        navMini: z.boolean().optional(),
        pagination: z.literal(pageSizes).optional(),
        cookie: z.boolean().optional(),
        timeZone: line(64).optional(),
        /** Null restores the time zone of the browser. */
        chosenTimeZone: line(64).nullable().optional(),
        columns: ListColumns.optional(),
      })
      .refine((settings) => Object.keys(settings).length > 0, 'errorEmpty'),
  }),
  response: z.strictObject({ settings: UserSettings }),
  errors: { errorTimeZone: 400 },
})
