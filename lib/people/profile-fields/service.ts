import { cached } from '@/lib/kernel/cache'
import { platformSettings } from '@/lib/platform/settings/service'
import { activeProfileFields } from './queries'

export type ProfileField = Awaited<ReturnType<typeof activeProfileFields>>[number]

/** The profile's own fields, in the order of the form. Names are one field or three, by the setting useUserFio. */
export async function profileFields(): Promise<ProfileField[]> {
  const [{ useUserFio }, fields] = await Promise.all([
    platformSettings(),
    cached('dynamic-fields:profile', async () => activeProfileFields()),
  ])
  const unused = useUserFio ? ['lastName', 'firstName', 'middleName'] : ['fio']
  return fields.filter(({ code }) => !unused.includes(code))
}
