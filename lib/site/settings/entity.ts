import {
  defineEntity,
  type Field,
  json,
  list,
  number,
  records,
  reference,
  references,
  text,
  yesNo,
} from '@/lib/base/audit/entity'
import { type Definition, definitions, type Kind, type SettingId, type StoredSetting } from './definitions'

const fieldOfKind: Record<Kind, (label: string) => Field> = {
  integer: number,
  days: number,
  string: text,
  url: text,
  switch: yesNo,
  duration: (label) => json(label),
  rules: (label) =>
    records<object>(label, null, {
      pattern: text('settings.rules.pattern'),
      title: json('settings.rules.title', undefined, {
        ru: text('settings.rules.languages.ru'),
        en: text('settings.rules.languages.en'),
      }),
    }),
  role: (label) => reference(label, 'roles'),
  networkAliases: (label) => references(label, 'networkAliases'),
  recipients: (label) =>
    json(label, undefined, { users: references('settings.people', 'users'), emails: list('settings.emails') }),
}

type SettingFields = { [I in SettingId]: Field<StoredSetting<I>> }

/** Returns the field of a setting: its label and its secrets follow from its definition. */
export const settingField = (id: string, { type, secrets }: Definition<unknown, unknown>): Field => ({
  ...fieldOfKind[type](`settings.names.${id}`),
  ...(secrets ? { secrets } : {}),
})

/** Each setting is a separate object, with a single field of the same name. */
export const settingEntity = defineEntity(
  'settings',
  Object.fromEntries(
    Object.entries(definitions).map(([id, definition]) => [id, settingField(id, definition)]),
  ) as SettingFields,
)
