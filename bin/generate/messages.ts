import { textLocales } from '@/lib/base/i18n/choose-locale'
import { filesBelow, generated, identifier, type Made } from './source'

/** Mails and SMS look up their texts by the template's name. As types, these keys would make every type check slow. */
const untyped = ['mail', 'sms']

/** Every file of texts: how it is loaded, and the types of its keys. */
export function messageIndexes(): Made[] {
  const [source] = textLocales
  const names = filesBelow(`messages/${source}`, /\/[\w-]+\.json$/).map((file) => file.replace(/^.*\/|\.json$/g, ''))
  const typed = names.filter((name) => !untyped.includes(name))
  return [
    {
      file: 'lib/base/i18n/message-files.generated.ts',
      text: generated([
        '/** The imports of each file of texts, written out, so that every bundler and the worker find them. */',
        'export const files = {',
        ...textLocales.flatMap((locale) => [
          `  ${locale}: {`,
          ...names.map((name) => `    '${name}': () => import('@/messages/${locale}/${name}.json'),`),
          '  },',
        ]),
        '}',
      ]),
    },
    {
      file: 'lib/base/i18n/texts.generated.ts',
      text: generated([
        ...typed.map((name) => `import type ${identifier(name)}Texts from '@/messages/${source}/${name}.json'`),
        '',
        '/** The texts against which keys are type-checked. */',
        'export type Texts =',
        ...typed.map((name, at) => `  typeof ${identifier(name)}Texts${at < typed.length - 1 ? ' &' : ''}`),
      ]),
    },
  ]
}
