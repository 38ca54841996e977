import type { Ctx } from '@/lib/base/context/ctx'
import { deviceTypes } from '@/lib/site/device-types/service'
import { platformSettings } from '@/lib/site/settings/service'
import type { IdAttribute } from './contract'

/**
 * Returns the kinds of identifier with which people can sign in on this device and this domain. There may be none
 * (docs/rules/sign-in.md#identifiers).
 */
export async function offeredAttributes(ctx: Ctx): Promise<IdAttribute[]> {
  const [{ identificationLogin, identificationEmail, identificationMobile }, types] = await Promise.all([
    platformSettings(),
    deviceTypes(),
  ])
  const on: Record<IdAttribute, boolean> = {
    login: identificationLogin,
    email: identificationEmail,
    mobile: identificationMobile,
  }
  const typeId = types.find(({ code }) => code === ctx.deviceType)?.id
  const limit = typeId ? ctx.domain.devicesIdAttributes[typeId] : undefined
  return (['login', 'email', 'mobile'] as const).filter((kind) => on[kind] && (!limit || limit.includes(kind)))
}
