import { areaCalls } from '@/lib/kernel/http/area-calls'

const errors = { ownAddressDenied: 400, ownAddressDeniedLater: 400 }

export const enableWhitelistEntry = areaCalls('access-lists', '/setting/whitelist', {
  one: 'WhitelistEntry',
  many: 'Whitelist',
  notice: 'whitelist',
}).enable({
  summary: 'Switches an entry of the whitelist on or off; refused where it would shut out whoever does it',
  errors,
})

export const enableBlacklistEntry = areaCalls('access-lists', '/setting/blacklist', {
  one: 'BlacklistEntry',
  many: 'Blacklist',
  notice: 'blacklist',
}).enable({
  summary: 'Switches an entry of the blacklist on or off; refused where it would shut out whoever does it',
  errors,
})
