import { areaCalls } from '@/lib/kernel/http/area-calls'

const errors = { ownAddressDenied: 400, ownAddressDeniedLater: 400 }

export const enableWhitelistEntry = areaCalls('access-lists', '/setting/whitelist').enable({
  name: 'enableWhitelistEntry',
  summary: 'Switches an entry of the whitelist on or off; refused where it would shut out whoever does it',
  notice: 'whitelistEnabled',
  errors,
})

export const enableBlacklistEntry = areaCalls('access-lists', '/setting/blacklist').enable({
  name: 'enableBlacklistEntry',
  summary: 'Switches an entry of the blacklist on or off; refused where it would shut out whoever does it',
  notice: 'blacklistEnabled',
  errors,
})
