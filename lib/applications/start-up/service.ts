import { getCountries, getCountryCallingCode } from 'libphonenumber-js'
import { holdsMethod, requireUser } from '@/lib/base/context/access'
import type { Ctx } from '@/lib/base/context/ctx'
import { pageSizes } from '@/lib/base/lists/page-sizes'
import { projectInfo } from '@/lib/site/project-info/service'
import { platformSettings } from '@/lib/site/settings/service'
import { version } from '@/package.json'

/** Returns which parts of the interface the signed-in person may see, and the settings of its look. Throws 401. */
export async function getPlatformConfiguration(ctx: Ctx) {
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

/** Returns the platform as an application, with the version that runs. Throws 401. */
export async function getPlatformApplication(ctx: Ctx) {
  requireUser(ctx)
  return { code: 'platform', name: 'Платформа', nameEn: 'Platform', version }
}

/** Returns every country that has a calling code, sorted by name; several may share a code. */
export async function getCountryCodes({ locale }: Ctx) {
  const names = new Intl.DisplayNames([locale], { type: 'region' })
  const countries = getCountries().map((code) => ({
    code,
    name: names.of(code) ?? code,
    callingCode: `+${getCountryCallingCode(code)}`,
  }))
  const order = new Intl.Collator(locale)
  return { countries: countries.sort((a, b) => order.compare(a.name, b.name)) }
}
