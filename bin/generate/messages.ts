import { textLocales } from '@/lib/kernel/i18n/choose-locale'
import { filesBelow, generated, identifier, type Made } from './source'

/** Mails and SMS find their texts by the template's name: as types, their keys would make every check slow. */
const untyped = ['mail', 'sms']

/** Every file of texts: how each is loaded, and the types of their keys. */
export function messageIndexes(): Made[] {
  const [source] = textLocales
  const names = filesBelow(`messages/${source}`, /\/[\w-]+\.json$/).map((file) => file.replace(/^.*\/|\.json$/g, ''))
  const typed = names.filter((name) => !untyped.includes(name))
  return [
    {
      file: 'lib/kernel/i18n/message-files.generated.ts',
      text: generated([
        '/** How each file of texts is loaded: spelled out, so that every bundler and the worker find them. */',
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
      file: 'lib/kernel/i18n/texts.generated.ts',
      text: generated([
        ...typed.map((name) => `import type ${identifier(name)}Texts from '@/messages/${source}/${name}.json'`),
        '',
        '/** The texts that keys are checked against. */',
        'export type Texts =',
        ...typed.map((name, at) => `  typeof ${identifier(name)}Texts${at < typed.length - 1 ? ' &' : ''}`),
      ]),
    },
  ]
}
