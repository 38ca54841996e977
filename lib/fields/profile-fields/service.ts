import { platformSettings } from '@/lib/site/settings/service'
import { type Definition, isBase } from '../values/definition'
import { peopleFields } from '../values/service'

/** The profile's own tab. */
const mainTab = 'users_main'

/**
 * Returns the fields of people, names in one field or three, by useUserFio: those of the profile's main tab first, all
 * in the order of the form.
 */
export async function profileFields(): Promise<Definition[]> {
  const [{ useUserFio }, fields] = await Promise.all([platformSettings(), peopleFields()])
  const unusedCodes = useUserFio ? ['lastName', 'firstName', 'middleName'] : ['fio']
  const usedFields = fields.filter((field) => !isBase(field) || !unusedCodes.includes(field.code))
  const isMain = ({ tab }: Definition) => tab.id === mainTab
  return [...usedFields.filter(isMain), ...usedFields.filter((field) => !isMain(field))]
}

/** Returns the fields of the profile's main tab, which the public forms ask for. */
export const mainProfileFields = async (): Promise<Definition[]> =>
  (await profileFields()).filter(({ tab }) => tab.id === mainTab)

/** Returns whether the profile shows a contact of this kind. If not, only readers of users see it. */
export const showsContact = async (kind: 'email' | 'mobile'): Promise<boolean> =>
  (await peopleFields()).some((field) => isBase(field) && field.code === kind && field.profile.visible)
