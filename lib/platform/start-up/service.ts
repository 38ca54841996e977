import { getCountries, getCountryCallingCode } from 'libphonenumber-js'
import { holdsMethod, requireUser } from '@/lib/kernel/access'
import type { Ctx } from '@/lib/kernel/ctx'
import { pageSizes } from '@/lib/kernel/lists'
import { projectInfo } from '@/lib/platform/project-info/service'
import { platformSettings } from '@/lib/platform/settings/service'
import { version } from '@/package.json'

/** Which of the interface's parts are for this person, and how the administrators want it to look. */
export async function platformConfiguration(ctx: Ctx) {
  requireUser(ctx)
  const { user } = ctx
  const [{ uiSettings }, { uiNavMini }] = await Promise.all([projectInfo(ctx.domain), platformSettings()])
  return {
    accesses: {
      monitoringNotifyAccess: holdsMethod(user, 'monitoringNotifyAccess'),
      diagnosticsNotifyAccess: holdsMethod(user, 'diagnosticsNotifyAccess'),
      diagnosticsApplicationsNotifyAccess: holdsMethod(user, 'diagnosticsApplicationsNotifyAccess'),
      masterAccountAccess: holdsMethod(user, 'masterAccountAccess'),
      usersAccess: holdsMethod(user, 'usersAccess'),
    },
    settings: { ...uiSettings, uiNavMini, pageSizes: [...pageSizes] },
  }
}

/** The platform's own entry among the applications. */
export async function platformApplication(ctx: Ctx) {
  requireUser(ctx)
  return { code: 'platform', name: 'Платформа', nameEn: 'Platform', version }
}

/** Every country that has a calling code; some share theirs. */
export async function countryCodes({ locale }: Ctx) {
  const names = new Intl.DisplayNames([locale], { type: 'region' })
  const countries = getCountries().map((code) => ({
    code,
    name: names.of(code) ?? code,
    callingCode: `+${getCountryCallingCode(code)}`,
  }))
  const order = new Intl.Collator(locale)
  return { countries: countries.sort((a, b) => order.compare(a.name, b.name)) }
}
