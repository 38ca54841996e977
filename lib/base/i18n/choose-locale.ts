/** Languages of the product's own texts; the first is the default (docs/rules/texts-and-look.md#languages). */
export const textLocales = ['ru', 'en'] as const
export type TextLocale = (typeof textLocales)[number]

type LocalePreferences = {
  cookie: string | undefined
  /** The setting of the account. */
  chosen: string | null
  acceptLanguage: string | null
  /** The domain's enabled locales, in order. */
  enabled: readonly string[]
}

function acceptedLanguages(header: string): string[] {
  return header
    .slice(0, 500)
    .split(',')
    .map((part) => {
      const [tag = '', ...params] = part.trim().split(';')
      const quality = params.map((param) => /^\s*q=([\d.]+)\s*$/.exec(param)?.[1]).find(Boolean)
      return { code: tag.toLowerCase().split('-')[0] ?? '', quality: quality === undefined ? 1 : Number(quality) }
    })
    .filter(({ code, quality }) => code && quality > 0)
    .sort((a, b) => b.quality - a.quality)
    .map(({ code }) => code)
}

/**
 * Returns the locale of a request (docs/rules/requests.md#language): the first enabled one of the cookie, the setting
 * of the account, the browser and ru. A locale without shipped texts may be chosen like the others.
 */
export function chooseLocale({ cookie, chosen, acceptLanguage, enabled }: LocalePreferences): string {
  const candidates = [cookie, chosen, ...acceptedLanguages(acceptLanguage ?? ''), textLocales[0]]
  return (
    candidates.find((code): code is string => Boolean(code) && enabled.includes(code ?? '')) ??
    enabled[0] ??
    textLocales[0]
  )
}
