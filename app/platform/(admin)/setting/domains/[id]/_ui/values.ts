import { type BodyOf, fieldsOf } from '@/components/form/field-name'
import type { Domain, updateDomain } from '@/lib/site/domains/contract'

export type Values = Required<Omit<BodyOf<typeof updateDomain>, 'base' | 'removedLocales'>>
export type LocaleValues = Values['locales'][number]

/** The names of the form's fields. */
export const field = fieldsOf<Values>({})

/** The values of a language that is added to a domain. */
export const emptyLocale = (localeId: string) => ({
  localeId,
  order: 0,
  enabled: true,
  settings: {
    projectTitle: '',
    projectName: '',
    copyright: '',
    siteName: '',
    siteLink: '',
    banners: [] as string[],
    technical: [] as { title: string; text: string; link: string; mobile: string }[],
  },
})

/** The values of the form for a stored domain. */
export function valuesOf({ id: _, base, logoId: __, ...domain }: Domain): Values {
  // the base domain has only its own texts, whatever is stored
  return { ...domain, baseSettings: domain.baseSettings && !base } as Values
}

/** The fields of each tab. */
export const tabFields = {
  texts: ['baseSettings', 'locales', 'domains'],
  addresses: ['aliases', 'comment', 'timeZone', 'type', 'enabled'],
  look: ['styleTemplate', 'imageCode', 'publicDocsUrl', 'cookie'],
  documents: ['agreements', 'documents'],
  devices: ['devicesIdAttributes'],
} as const satisfies Record<string, readonly (keyof Values)[]>
export type Tab = keyof typeof tabFields

/** Returns the form's name of a field that an error of the call names. */
export const fieldOf = (field: string) =>
  field
    .replace(/^(documents|agreements|domains|devicesIdAttributes)\..*/, '$1')
    .replace(/^(locales\.\d+\.settings\.banners)\..*/, '$1')
