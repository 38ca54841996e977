import { cached } from '@/lib/kernel/cache'
import { platformSettings } from '@/lib/platform/settings/service'
import { selectActiveProfileFields } from './queries'

export type ProfileField = Awaited<ReturnType<typeof selectActiveProfileFields>>[number]

/**
 * Returns the fields of the profile's main tab, in the order of the form: names in one field or three, by useUserFio.
 */
export async function profileFields(): Promise<ProfileField[]> {
  const [{ useUserFio }, fields] = await Promise.all([
    platformSettings(),
    cached('dynamic-fields:profile', async () => selectActiveProfileFields()),
  ])
  const unused = useUserFio ? ['lastName', 'firstName', 'middleName'] : ['fio']
  return fields.filter(({ code }) => !unused.includes(code))
}
