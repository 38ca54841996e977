import { z } from 'zod'
import { contract, Done } from '@/lib/base/contracts/contract'

/** The limits that can stop an IP address, each until some moment. */
export const addressLimitNames = [
  'wrongCodes',
  'appCodes',
  'passkeys',
  'codesAsked',
  'passwords',
  'attempts',
  'providers',
  'recovery',
  'newPasswords',
  'registrationLinks',
  'registrations',
] as const
export type AddressLimitName = (typeof addressLimitNames)[number]

/** An IP address, and the limits that stop it now. */
export const StoppedAddress = z.strictObject({
  ip: z.string(),
  limits: z.array(z.strictObject({ limit: z.enum(addressLimitNames), until: z.iso.datetime() })),
})
export type StoppedAddress = z.output<typeof StoppedAddress>

const common = {
  tag: 'users',
  access: { area: 'users' },
  path: '/setting/address-limits',
  query: z.strictObject({ ip: z.union([z.ipv4(), z.ipv6()], { error: 'errorFormat' }) }),
} as const

export const readAddressLimits = contract({
  ...common,
  name: 'readAddressLimits',
  method: 'GET',
  summary: 'The limits that stop an address now, and until when',
  response: StoppedAddress,
})

export const liftAddressLimits = contract({
  ...common,
  name: 'liftAddressLimits',
  method: 'DELETE',
  summary: 'Opens an address that limits have stopped; of IPv6 its /64 and its /48',
  snackbar: 'addressLimitsLift',
  response: Done,
  errors: { addressLifted: 429, liftsUsed: 429 },
})
