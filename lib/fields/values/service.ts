import { cached } from '@/lib/base/cache/cache'
import type { Definition } from './definition'
import { selectActiveFields } from './queries'

type Row = Awaited<ReturnType<typeof selectActiveFields>>[number]

function definitionOf({ field, tab, subtype }: Row): Definition {
  const { adminVisible, adminEdit, adminRequired, profileVisible, profileEdit, profileRequired, ...otherColumns } =
    field
  const { id, type, code, title, titleEn, comment, fieldType, multiple, unique, items, systemic } = otherColumns
  const { pattern, minLength, maxLength, latin, integrationRequired } = otherColumns
  return {
    ...{ id, type, code, title, titleEn, comment, fieldType, multiple, unique, items, systemic },
    ...{ pattern, minLength, maxLength, latin, integration: integrationRequired },
    admin: { visible: adminVisible, edit: adminEdit, required: adminRequired },
    profile: { visible: profileVisible || profileRequired, edit: profileEdit, required: profileRequired },
    tab: { id: tab.id, title: tab.title, titleEn: tab.titleEn, viewType: tab.viewType },
    subtype: { code: subtype.code, title: subtype.title, titleEn: subtype.titleEn },
  }
}

/**
 * Returns all active definitions, in their order. A change of fields, blocks or tabs invalidates `dynamic-fields`. The
 * code `__proto__` is left out: zod and JavaScript drop a member with that name, so nobody could ever fill it in.
 */
const allDefinitions = () =>
  cached('dynamic-fields:definitions', async () =>
    (await selectActiveFields()).map(definitionOf).filter(({ code }) => code !== '__proto__'),
  )

/**
 * Returns the fields of people, those of their personnel actions last: the values of all of them are stored on the
 * account. If two fields have the same code, the first counts.
 */
export async function peopleFields(): Promise<Definition[]> {
  const definitions = await allDefinitions()
  const ofPeople = definitions.filter(({ type }) => type === 'users')
  const ofActions = definitions.filter(
    ({ type, code }) => type === 'personnel-actions' && !ofPeople.some((field) => field.code === code),
  )
  return [...ofPeople, ...ofActions]
}

/** Returns the fields of contractors. */
export const contractorFields = async (): Promise<Definition[]> =>
  (await allDefinitions()).filter(({ type }) => type === 'contractors')
