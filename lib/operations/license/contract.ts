import { z } from 'zod'
import { contract, Done, line, requiredLine } from '@/lib/base/contracts/contract'

const path = '/setting/license'
const common = { tag: 'license', access: { area: 'license' } } as const

/** A host name, as people type it; of an address, only the host is read. */
const Host = line(300)
  .min(1, 'errorEmpty')
  .transform((text) =>
    text
      .toLowerCase()
      .replace(/^https?:\/\//, '')
      .replace(/\/.*$/, '')
      .replace(/:\d+$/, ''),
  )
  .refine(
    (host) => /^(?=.{1,253}$)[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$/.test(host),
    'errorLicenseHost',
  )

const LicenseInput = z.strictObject({
  key: requiredLine(8_000),
  domain: Host,
})

const Info = z.strictObject({
  owner: z.string(),
  domain: z.string(),
  /** Null for a license that doesn't expire. */
  expiresAt: z.iso.datetime().nullable(),
  /** The largest number of simultaneous sessions; null for any number. */
  sessions: z.number().int().nullable(),
})

export const licenseStates = ['valid', 'expired', 'invalid'] as const

const refused = {
  errorLicenseKey: 400,
  errorLicenseDomain: 400,
  errorLicenseExpired: 400,
  licenseUnavailable: 409,
} as const

export const readLicenseInfo = contract({
  ...common,
  name: 'readLicenseInfo',
  method: 'GET',
  path,
  snackbar: 'systemGet',
  summary: 'The license: what the form shows, with the end of the key alone, and what the license says',
  response: z.strictObject({
    form: z.strictObject({ key: z.string(), domain: z.string() }),
    /** Null without a license. */
    info: Info.extend({
      /** The result of the last check, and its time. */
      state: z.enum(licenseStates),
      checkedAt: z.iso.datetime(),
    }).nullable(),
    /** Whether this platform can check licenses: LICENSE_PUBLIC_KEY is set. */
    checkable: z.boolean(),
  }),
})

export const saveLicense = contract({
  ...common,
  name: 'saveLicense',
  method: 'POST',
  path,
  summary: 'Puts in a license in place of the one before',
  body: LicenseInput,
  response: Done,
  snackbar: 'systemUpdate',
  sensitive: true,
  errors: refused,
})

export const checkLicense = contract({
  ...common,
  name: 'checkLicense',
  method: 'POST',
  path: `${path}/check`,
  summary: 'Says what a license holds, and changes nothing',
  body: LicenseInput,
  response: Info,
  snackbar: 'systemCheck',
  sensitive: true,
  errors: refused,
})

export const deleteLicense = contract({
  ...common,
  name: 'deleteLicense',
  method: 'DELETE',
  path,
  summary: 'Removes the license',
  response: Done,
  snackbar: 'systemDelete',
  errors: { notFound: 404 },
})

export const countLicenseSessions = contract({
  ...common,
  name: 'countLicenseSessions',
  method: 'GET',
  path: `${path}/sessions`,
  summary: 'How many sessions were active within the last 15 minutes',
  response: z.strictObject({ count: z.number().int() }),
})
