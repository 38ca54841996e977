import { defineEntity, yesNo } from '@/lib/base/audit/entity'

/** An IP address (for IPv6 its /64): for each limit, whether it stopped the address. */
export const addressLimitsEntity = defineEntity(
  'address-limits',
  {
    wrongCodes: yesNo('history.address-limits.wrongCodes'),
    codesAsked: yesNo('history.address-limits.codesAsked'),
    passwords: yesNo('history.address-limits.passwords'),
    attempts: yesNo('history.address-limits.attempts'),
    providers: yesNo('history.address-limits.providers'),
    recovery: yesNo('history.address-limits.recovery'),
    newPasswords: yesNo('history.address-limits.newPasswords'),
    appCodes: yesNo('history.address-limits.appCodes'),
    passkeys: yesNo('history.address-limits.passkeys'),
    registrationLinks: yesNo('history.address-limits.registrationLinks'),
    registrations: yesNo('history.address-limits.registrations'),
  },
  { area: 'users' },
)
