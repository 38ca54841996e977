/**
 * Languages that the product's own texts exist in; the first is the default (docs/rules/texts-and-look.md#languages).
 */
export const textLocales = ['ru', 'en'] as const
export type TextLocale = (typeof textLocales)[number]

type Wishes = {
  cookie: string | undefined
  /** The user's own setting. */
  chosen: string | null
  acceptLanguage: string | null
  /** The domain's enabled locales, in order. */
  enabled: readonly string[]
}

function accepted(header: string): string[] {
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
 * docs/rules/requests.md#language: cookie, else the user's language, else the browser's, else ru, among those enabled.
 * One without interface texts is a choice like the others.
 */
export function chooseLocale({ cookie, chosen, acceptLanguage, enabled }: Wishes): string {
  const wishes = [cookie, chosen, ...accepted(acceptLanguage ?? ''), textLocales[0]]
  return (
    wishes.find((code): code is string => Boolean(code) && enabled.includes(code ?? '')) ?? enabled[0] ?? textLocales[0]
  )
}
